package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Makes the log of a stream's transaction durable, which is the condition for deferring syncs. */
final class LogClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> APPENDS =
      ElementMatchers.<MethodDescription>named("append").and(takesArguments(1));

  @Override
  public String className() {
    return "org.apache.cassandra.db.lifecycle.LogReplica";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredFields().filter(named("file")).isEmpty()) {
      return "it has no 'file'";
    }
    return type.getDeclaredMethods().filter(APPENDS).size() == 1 ? null : "it has no 'append'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(LogAdvice.class).on(APPENDS);
  }

  /** Copied around the method that appends a record to a transaction's log. */
  static final class LogAdvice {
    private LogAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.FieldValue("file") Object file) {
      JoinHook.logs(file);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue("file") Object file, @Advice.Thrown @Nullable Throwable thrown) {
      JoinHook.logged(file, thrown == null);
    }
  }
}
