package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers syncs of the checksums of SSTables, in 4.1 and later. */
final class ChecksumClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> WRITES =
      ElementMatchers.<MethodDescription>named("writeFullChecksum").and(takesArguments(1));

  @Override
  public String className() {
    return "org.apache.cassandra.io.util.ChecksumWriter";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(WRITES).size() == 1
        ? null
        : "it has no 'writeFullChecksum'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(ChecksumAdvice.class).on(WRITES);
  }

  /** Copied around the method of {@code ChecksumWriter} that writes the file of a checksum. */
  static final class ChecksumAdvice {
    private ChecksumAdvice() {}

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
