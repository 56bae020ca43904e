package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/**
 * Copied to the start of the method of {@code FileOutputStreamPlus} that syncs. May skip the
 * method.
 */
public final class OutputSyncAdvice {
  private OutputSyncAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.This Object stream) {
    return JoinHook.putsOff(stream, null);
  }
}
