package io.sluice.decide.schedule;

/**
 * The mean number of range reads of one node that hold a slot or wait for one. Times are in ns. Not
 * safe for several threads.
 */
final class RangeNeed {
  private boolean opened;
  private long since;
  private long changedAt;
  private int current;
  private double sum;

  /** Takes note of the number from now on. */
  void change(int needed, long now) {
    if (!opened) {
      opened = true;
      since = now;
      changedAt = now;
    }
    sum += (double) current * (now - changedAt);
    changedAt = now;
    current = needed;
  }

  /** Returns the mean since the last call. */
  double take(long now) {
    change(current, now);
    double mean = now == since ? current : sum / (now - since);
    since = now;
    sum = 0;
    return mean;
  }
}
