package io.sluice.decide.predict;

/**
 * The error of estimates, as an exponentially weighted moving deviation of actual / estimated from
 * 1. Pure. Not safe for several threads.
 */
final class ErrorSpread {

  /** Weight of the newest answer, once there are more answers than its inverse. */
  private static final double NEWEST = 1.0 / 16;

  /** Added to both counts, so that one row where none was expected is a negligible error. */
  private static final double NOISE_ROWS = 16;

  private int count;
  private double variance;

  /**
   * Adds an answer. A deviation above 1 counts as 1: it is not spread but a mistake that is
   * corrected now.
   */
  void seen(double estimated, long actual) {
    double ratio = (actual + NOISE_ROWS) / (estimated + NOISE_ROWS);
    double error = Math.min(1, Math.abs(ratio - 1));
    count++;
    variance += (error * error - variance) * Math.max(NEWEST, 1.0 / count);
  }

  /** Returns the deviation, 0 to 1; 0 before the first answer. */
  double sigma() {
    return Math.sqrt(variance);
  }
}
