package io.sluice.decide.predict;

/**
 * The error of estimates, as an exponentially weighted moving deviation of actual / estimated from
 * 1. Pure. Not safe for several threads.
 */
final class ErrorSpread {

  /** The newest answer weighs this much once there are more of them than its inverse. */
  private static final double NEWEST = 1.0 / 16;

  /** Added to both counts, so that one row where none was expected is no error worth the name. */
  private static final double NOISE_ROWS = 16;

  private int count;
  private double variance;

  /** A deviation above 1, which is no spread but a mistake that is now corrected, counts as 1. */
  void seen(double estimated, long actual) {
    double ratio = (actual + NOISE_ROWS) / (estimated + NOISE_ROWS);
    double error = Math.min(1, Math.abs(ratio - 1));
    count++;
    variance += (error * error - variance) * Math.max(NEWEST, 1.0 / count);
  }

  /** 0 to 1; 0 when nothing was seen. */
  double sigma() {
    return Math.sqrt(variance);
  }
}
