package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the method that aborts a receiver's transaction. */
public final class AbortAdvice {
  private AbortAdvice() {}

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.This Object receiver) {
    JoinHook.aborts(receiver);
  }
}
