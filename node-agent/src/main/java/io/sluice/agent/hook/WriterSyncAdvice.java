package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/**
 * Copied to the start of the method of {@code SequentialWriter} that syncs. May skip the method.
 */
public final class WriterSyncAdvice {
  private WriterSyncAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.This Object writer, @Advice.FieldValue("filePath") String path) {
    return JoinHook.putsOff(writer, path);
  }
}
