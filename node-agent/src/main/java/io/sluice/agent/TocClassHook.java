package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers syncs of the component lists of SSTables, in 5.0 and 6.0. */
final class TocClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> WRITES =
      ElementMatchers.<MethodDescription>named("write")
          .and(isStatic())
          .and(takesArguments(3))
          .and(takesArgument(1, List.class));

  @Override
  public String className() {
    return "org.apache.cassandra.io.util.FileUtils";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(WRITES).size() == 1
        ? null
        : "it has no 'write' of lines";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(TocAdvice.class).on(WRITES);
  }

  /** Copied around the method of {@code FileUtils} that writes lines to a file, and may sync it. */
  static final class TocAdvice {
    private TocAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) Object file) {
      JoinHook.writes(file);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Argument(0) Object file) {
      JoinHook.wrote(file);
    }
  }
}
