package io.sluice.agent;

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

/**
 * Defers syncs of small files of an SSTable, each written by one call of a method that also syncs
 * it. The file is the method's first argument.
 */
final class WholeFileClassHook implements ClassHook {
  private final String className;
  private final String method;
  private final ElementMatcher<MethodDescription> writes;

  private WholeFileClassHook(
      String className, String method, ElementMatcher.Junction<MethodDescription> parameters) {
    this.className = className;
    this.method = method;
    this.writes = ElementMatchers.<MethodDescription>named(method).and(parameters);
  }

  /** Defers syncs of component lists, in 5.0 and 6.0. */
  static ClassHook ofLists() {
    return new WholeFileClassHook(
        "org.apache.cassandra.io.util.FileUtils",
        "write",
        ElementMatchers.<MethodDescription>isStatic()
            .and(takesArguments(3))
            .and(takesArgument(1, List.class)));
  }

  /** Defers syncs of checksums, in 4.1 and later. */
  static ClassHook ofChecksums() {
    return new WholeFileClassHook(
        "org.apache.cassandra.io.util.ChecksumWriter", "writeFullChecksum", takesArguments(1));
  }

  @Override
  public String className() {
    return className;
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(writes).size() == 1
        ? null
        : "it has no '" + method + "' of a file";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(WholeFileAdvice.class).on(writes);
  }

  /** Copied around the method. */
  static final class WholeFileAdvice {
    private WholeFileAdvice() {}

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
