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

/** Makes the component lists of SSTables durable, in 5.0 and 6.0. */
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

  /** Copied to the end of the method of {@code FileUtils} that writes lines to a file. */
  static final class TocAdvice {
    private TocAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) Object file) {
      JoinHook.wrote(file);
    }
  }
}
