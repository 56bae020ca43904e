package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the end of the methods of {@code Tracker} that change a table's SSTables. */
public final class TrackerAdvice {
  private TrackerAdvice() {}

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.This Object tracker) {
    PinHook.changed(tracker);
  }
}
