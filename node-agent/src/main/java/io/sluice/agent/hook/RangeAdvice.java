package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/**
 * Copied around the method of {@code RangeCommandIterator} that sends one round of a range read.
 */
public final class RangeAdvice {
  private RangeAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static boolean enter(@Advice.FieldValue("concurrencyFactor") int concurrency) {
    return HintHook.roundBegins(concurrency);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter boolean standsForHint) {
    HintHook.roundEnds(standsForHint);
  }
}
