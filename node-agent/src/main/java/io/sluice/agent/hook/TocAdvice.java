package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the method of {@code FileUtils} that writes lines to a file. */
public final class TocAdvice {
  private TocAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.Argument(0) Object file) {
    JoinHook.wrote(file);
  }
}
