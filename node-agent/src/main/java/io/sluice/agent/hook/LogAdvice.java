package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the method that appends a record to a transaction's log. */
public final class LogAdvice {
  private LogAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.FieldValue("file") Object file) {
    JoinHook.logged(file);
  }
}
