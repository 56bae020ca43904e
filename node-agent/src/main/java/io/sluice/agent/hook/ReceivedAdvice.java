package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied around the method that finishes a received SSTable. */
public final class ReceivedAdvice {
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
