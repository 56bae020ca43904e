package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.JoinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Follows the receivers of streams: deferred syncs of a receiver are done when it commits. */
final class ReceiverClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> MADE = isConstructor();
  private static final ElementMatcher.Junction<MethodDescription> RECEIVED =
      ElementMatchers.<MethodDescription>named("received").and(takesArguments(1));
  private static final ElementMatcher.Junction<MethodDescription> COMMITS =
      ElementMatchers.<MethodDescription>named("finishTransaction").and(takesNoArguments());
  private static final ElementMatcher.Junction<MethodDescription> ABORTS =
      ElementMatchers.<MethodDescription>named("abort").and(takesNoArguments()).and(isPublic());

  @Override
  public String className() {
    return "org.apache.cassandra.db.streaming.CassandraStreamReceiver";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredMethods().filter(COMMITS).size() != 1) {
      return "it has no 'finishTransaction'";
    }
    if (type.getDeclaredMethods().filter(ABORTS).size() != 1) {
      return "it has no 'abort'";
    }
    return type.getDeclaredMethods().filter(RECEIVED).size() == 1 ? null : "it has no 'received'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return new AsmVisitorWrapper.Compound(
        Advice.to(ReceiverAdvice.class).on(MADE),
        Advice.to(ReceivedAdvice.class).on(RECEIVED),
        Advice.to(CommitAdvice.class).on(COMMITS),
        Advice.to(AbortAdvice.class).on(ABORTS));
  }

  /** Copied to the end of the constructor of {@code CassandraStreamReceiver}. */
  static final class ReceiverAdvice {
    private ReceiverAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object receiver) {
      JoinHook.receives(receiver);
    }
  }

  /** Copied around the method that finishes a received SSTable. */
  static final class ReceivedAdvice {
    private ReceivedAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object receiver) {
      JoinHook.finishes(receiver);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      JoinHook.writesNoMore(true);
    }
  }

  /**
   * Copied around the method that commits a receiver's transaction. If its files are not durable,
   * the method is skipped and throws.
   */
  static final class CommitAdvice {
    private CommitAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Throwable enter(@Advice.This Object receiver) {
      return JoinHook.commits(receiver);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method throws this value
    static void exit(
        @Advice.Enter @Nullable Throwable refusal,
        @Advice.Thrown(readOnly = false) @Nullable Throwable thrown) {
      if (refusal != null) {
        thrown = refusal;
      }
    }
  }

  /** Copied to the end of the method that aborts a receiver's transaction. */
  static final class AbortAdvice {
    private AbortAdvice() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.This Object receiver) {
      JoinHook.aborts(receiver);
    }
  }
}
