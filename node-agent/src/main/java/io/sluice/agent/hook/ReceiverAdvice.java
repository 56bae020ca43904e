package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the constructor of {@code CassandraStreamReceiver}. */
public final class ReceiverAdvice {
  private ReceiverAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.This Object receiver) {
    JoinHook.receives(receiver);
  }
}
