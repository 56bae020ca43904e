package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.AbortAdvice;
import io.sluice.agent.hook.CommitAdvice;
import io.sluice.agent.hook.ReceivedAdvice;
import io.sluice.agent.hook.ReceiverAdvice;
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
}
