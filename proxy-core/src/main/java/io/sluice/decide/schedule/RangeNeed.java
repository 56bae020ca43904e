package io.sluice.decide.schedule;

/**
 * The mean number of range reads of one node that hold a slot or wait for one. Times are in ns. Not
 * safe for several threads.
 */
final class RangeNeed {
  private boolean opened;
  private long since;
  private long changedAt;
  private int needed;
  private double sum;

  /** Takes note of the number from now on. */
  void change(int now, long nanos) {
    if (!opened) {
      opened = true;
      since = nanos;
      changedAt = nanos;
    }
    sum += (double) needed * (nanos - changedAt);
    changedAt = nanos;
    needed = now;
  }

  /** Returns the mean since the last call. */
  double take(long nanos) {
    change(needed, nanos);
    double mean = nanos == since ? needed : sum / (nanos - since);
    since = nanos;
    sum = 0;
    return mean;
  }
}
