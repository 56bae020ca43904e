package io.sluice.decide.schedule;

/**
 * The rate at which reads of one class leave a node's queue, measured while any of them waits. It
 * needs no estimate of what a read costs. By Little's law the mean wait is the number of queued
 * reads divided by the rate at which they leave, whatever their order and duration. Times are in
 * ns. Not safe for several threads.
 */
final class DrainRate {
  private static final long MIN_NANOS = 100_000_000;
  private static final int MIN_LEFT = 10;
  private static final double PACE = 0.5;

  /** Reads per ns; NaN until the first window closes. */
  private double rate = Double.NaN;

  private boolean waiting;
  private long since;
  private long busy;
  private int left;

  /** Counts one more queued read. */
  void entered(long now) {
    if (!waiting) {
      waiting = true;
      since = now;
    }
  }

  /**
   * Counts one read as no longer queued. {@code othersWait} tells whether other reads are still
   * queued.
   */
  void left(boolean othersWait, long now) {
    left++;
    busy += now - since;
    since = now;
    waiting = othersWait;
    if (left >= MIN_LEFT && busy >= MIN_NANOS) {
      double seen = (double) left / busy;
      rate = Double.isNaN(rate) ? seen : rate + PACE * (seen - rate);
      busy = 0;
      left = 0;
    }
  }

  /**
   * Returns how long it takes until {@code reads} have left, ns; 0 before anything is measured. The
   * time grows while no read leaves.
   */
  double waitNanos(int reads, long now) {
    long open = busy + (waiting ? now - since : 0);
    double seen = (left + 1.0) / Math.max(1, open);
    boolean first = Double.isNaN(rate);
    if (first && open < MIN_NANOS) {
      return 0;
    }
    return reads / (first || (seen < rate && open >= MIN_NANOS) ? seen : rate);
  }
}
