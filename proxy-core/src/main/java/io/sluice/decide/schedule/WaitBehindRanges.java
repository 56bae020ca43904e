package io.sluice.decide.schedule;

/**
 * The time that point reads wait for a node because range reads are in their way, summed. Each
 * second that a point read waits counts by the share of range reads among the reads in flight. A
 * read waits in the queue, and inside the node where more reads are in flight than the node runs at
 * once. Of those in flight the node is taken to run the same share of each class. The counts are
 * constant between two changes, so that a read needs no place of its own here. Times are in ns. Not
 * safe for several threads.
 */
final class WaitBehindRanges {

  private double sum;

  /** What a nanosecond adds to the sum until the next change. */
  private double perNano;

  private long changed;

  /**
   * The counts are these from now on.
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

  /** The sum until now. */
  double nanos(long now) {
    return perNano == 0 ? sum : sum + perNano * (now - changed);
  }
}
