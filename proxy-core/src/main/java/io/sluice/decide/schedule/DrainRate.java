package io.sluice.decide.schedule;

/**
 * The rate at which one class of reads leaves a node's queue, counted while any of them waits. It
 * uses no estimate of what a read costs: by Little's law the mean wait is the number that wait over
 * the number that leave per time, whatever the order and whatever each one takes. Times are in ns.
 * Not safe for several threads.
 */
final class DrainRate {
  private static final long MIN_NANOS = 100_000_000;
  private static final int MIN_LEFT = 10;
  private static final double PACE = 0.5;

  /** Reads per ns; NaN until the first window is closed. */
  private double rate = Double.NaN;

  private boolean waiting;
  private long since;
  private long busy;
  private int left;

  /** One read is queued. */
  void entered(long now) {
    if (!waiting) {
      waiting = true;
      since = now;
    }
  }

  /** One read is no longer queued; {@code othersWait} tells whether the queue is not empty now. */
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
   * How long it takes until {@code reads} have left, ns; 0 as long as nothing was measured. It
   * grows while nothing leaves.
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
