package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Copied around the method of {@code RangeCommandIterator} that sends one round of a range read.
 */
public final class RangeAdvice {
  private RangeAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable Object enter(@Advice.FieldValue("concurrencyFactor") int concurrency) {
    return HintHook.roundBegins(concurrency);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable Object requests) {
    HintHook.roundEnds(requests);
  }
}
