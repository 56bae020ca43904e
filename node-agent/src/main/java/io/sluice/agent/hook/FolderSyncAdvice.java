package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/**
 * Copied to the start of the method of {@code SyncUtil} that syncs a folder. May skip the method.
 */
public final class FolderSyncAdvice {
  private FolderSyncAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.Argument(0) Object folder) {
    return JoinHook.putsOffFolder(folder);
  }
}
