package io.sluice.decide.schedule;

/**
 * The total time that point reads wait for a node because range reads are in their way. Each second
 * that a point read waits counts by the share of range reads among the reads in flight. A read
 * waits in the queue, and inside the node if more reads are in flight than the node runs at once.
 * The node is assumed to run the same share of each class in flight. The counts are constant
 * between two changes, so no read needs a record of its own here. Times are in ns. Not safe for
 * several threads.
 */
final class WaitBehindRanges {

  private double sum;

  /** How much a nanosecond adds to the sum until the next change. */
  private double perNano;

  private long changed;

  /**
   * Sets the counts, valid from now on.
   *
   * @param queued point reads in the queue
   * @param points point reads in flight
   * @param ranges range reads in flight
   * @param slots reads that the node runs at once
   */
  void change(int queued, int points, int ranges, int slots, long now) {
    sum = nanos(now);
    changed = now;
    perNano = ranges == 0 ? 0 : perNano(queued, points, ranges, slots);
  }

  private static double perNano(int queued, int points, int ranges, int slots) {
    double inFlight = (double) points + ranges;
    double waitingInside = points * Math.max(0, inFlight - slots) / inFlight;
    return (queued + waitingInside) * ranges / inFlight;
  }

  /** Returns the sum up to now. */
  double nanos(long now) {
    return perNano == 0 ? sum : sum + perNano * (now - changed);
  }
}
