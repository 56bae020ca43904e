package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Copied around the method that commits a receiver's transaction. If its files are not durable, the
 * method is skipped and throws.
 */
public final class CommitAdvice {
  private CommitAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
  static @Nullable Throwable enter(@Advice.This Object receiver) {
    return JoinHook.commits(receiver);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method throws this value
  static void exit(
      @Advice.Enter @Nullable Throwable refusal,
      @Advice.Thrown(readOnly = false) @Nullable Throwable thrown) {
    if (refusal != null) {
      thrown = refusal;
    }
  }
}
