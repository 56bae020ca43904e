package io.sluice.decide.schedule;

/**
 * The duration that 99 of 100 do not exceed, followed as it changes. It holds two numbers: each
 * duration above moves it up, each below a hundredth as far down. Not safe for several threads.
 */
final class HighQuantile {

  /** Durations that are seen before it is known: the longest of them is about the quantile. */
  static final int FIRST = 100;

  private static final double STEP = 0.1;
  private static final double ABOVE = 0.01;
  private static final double UP = Math.exp(STEP * (1 - ABOVE));
  private static final double DOWN = Math.exp(-STEP * ABOVE);

  private int seen;
  private double nanos;

  /** One more duration, ns. */
  void add(long took) {
    if (seen < FIRST) {
      seen++;
      nanos = Math.max(nanos, (double) took);
    } else {
      nanos *= took > nanos ? UP : DOWN;
    }
  }

  /** The quantile, ns; infinite as long as it is not known. */
  double nanos() {
    return seen < FIRST ? Double.POSITIVE_INFINITY : nanos;
  }
}
