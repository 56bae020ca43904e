package io.sluice.decide.schedule;

/**
 * The work that a node does per unit of time, which turns a backlog into a waiting time. Not safe
 * for several threads.
 *
 * <p>While things wait, it is what was done divided by the time. While nothing waits, that would
 * only say how little was asked for, and an idle node would look slow; then it is what the range
 * slots would do at the speed seen, which is too much rather than too little.
 */
final class NodeRate {
  private static final long MIN_NANOS = 100_000_000;
  private static final int MIN_ANSWERS = 10;
  private static final double PACE = 0.5;

  private double rate;
  private boolean opened;
  private boolean alwaysWaiting;
  private long since;
  private int answers;
  private double work;
  private double latency;

  /** Starts from a guess; above 0. */
  NodeRate(double guess) {
    this.rate = guess;
  }

  /** Work per time, for example 3.5 µs of work each µs; above 0. */
  double value() {
    return rate;
  }

  /** Nothing waits at this moment. */
  void nothingWaits() {
    alwaysWaiting = false;
  }

  /**
   * The node answered.
   *
   * @param workNanos the work that was in it
   * @param latencyNanos how long it took
   * @param rangeSlots range sub-requests the node is given at once
   * @param waiting whether something waits now
   * @param now the time
   */
  void answered(double workNanos, long latencyNanos, int rangeSlots, boolean waiting, long now) {
    if (!opened) {
      open(waiting, now);
      opened = true;
      return;
    }
    answers++;
    work += workNanos;
    latency += (double) latencyNanos;
    long elapsed = now - since;
    if (answers >= MIN_ANSWERS && elapsed >= MIN_NANOS) {
      double done = work / (double) elapsed;
      double possible = alwaysWaiting ? done : Math.max(done, rangeSlots * work / latency);
      rate += PACE * (possible - rate);
      open(waiting, now);
    }
  }

  private void open(boolean waiting, long now) {
    alwaysWaiting = waiting;
    since = now;
    answers = 0;
    work = 0;
    latency = 0;
  }
}
