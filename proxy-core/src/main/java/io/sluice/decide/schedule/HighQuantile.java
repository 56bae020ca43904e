package io.sluice.decide.schedule;

/**
 * A running estimate of the duration that 99 of 100 do not exceed. It holds two numbers: each
 * duration above the estimate raises it, each one below lowers it by a hundredth of that step. Not
 * safe for several threads.
 */
final class HighQuantile {

  /** Durations needed before the quantile is known: the longest of these is about the quantile. */
  static final int FIRST = 100;

  private static final double STEP = 0.1;
  private static final double ABOVE = 0.01;
  private static final double UP = Math.exp(STEP * (1 - ABOVE));
  private static final double DOWN = Math.exp(-STEP * ABOVE);

  private int seen;
  private double nanos;

  /** Adds a duration, ns. */
  void add(long took) {
    if (seen < FIRST) {
      seen++;
      nanos = Math.max(nanos, (double) took);
    } else {
      nanos *= took > nanos ? UP : DOWN;
    }
  }

  /** Returns the quantile, ns; infinite until it is known. */
  double nanos() {
    return seen < FIRST ? Double.POSITIVE_INFINITY : nanos;
  }
}
