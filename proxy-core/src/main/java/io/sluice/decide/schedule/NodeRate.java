package io.sluice.decide.schedule;

/**
 * The work that a node does per unit of time, which converts a backlog to a waiting time. Not safe
 * for several threads.
 *
 * <p>While reads wait, the rate is the work done divided by the time. While none waits, that
 * quotient would show the demand, and an idle node would look slow. The rate is then what the range
 * slots would do at the measured speed, which is too high rather than too low.
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

  /** Creates a rate from an initial guess; above 0. */
  NodeRate(double guess) {
    this.rate = guess;
  }

  /** Returns work per unit of time, for example 3.5 µs of work each µs; above 0. */
  double value() {
    return rate;
  }

  /** Records that no read waits at this moment. */
  void onQueueEmpty() {
    alwaysWaiting = false;
  }

  /**
   * Adds an answer of the node.
   *
   * @param workNanos the work in the answer
   * @param latencyNanos how long the answer took
   * @param rangeSlots range sub-requests that the node is given at once
   * @param waiting whether a read waits now
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
