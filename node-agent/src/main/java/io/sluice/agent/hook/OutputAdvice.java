package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the constructor of {@code FileOutputStreamPlus} that opens the file. */
public final class OutputAdvice {
  private OutputAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.This Object stream, @Advice.Argument(0) Object file) {
    JoinHook.opens(stream, file);
  }
}
