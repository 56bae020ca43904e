package io.sluice.decide.schedule;

/**
 * A probe for the slowness of an uncrowded node: when one is due, and what the node was like before
 * it. Intervals between probes double. Times are in ns. Not safe for several threads.
 */
final class LimitProbe {
  private static final long FIRST_INTERVAL_NANOS = 500_000_000;
  private static final long LONGEST_INTERVAL_NANOS = 30_000_000_000L;

  /**
   * A node is crowded if half the limit lowers the slowness below this factor. The slowness halves
   * at a crowded node and stays the same at an uncrowded one.
   */
  private static final double CROWDED = 0.6;

  private boolean running;
  private double limitBefore;
  private double slownessBefore;
  private long endedAt;
  private long interval = FIRST_INTERVAL_NANOS;

  /** Whether a probe is running. */
  boolean isRunning() {
    return running;
  }

  /**
   * Whether so much time has passed since the last probe that another one is due.
   *
   * @param longest an upper bound of the time between two probes
   */
  boolean isDue(long longest, long now) {
    return now - endedAt >= Math.min(interval, longest);
  }

  /** Starts a probe, or goes on with half the limit. */
  void start(double limit, double slowness) {
    running = true;
    limitBefore = limit;
    slownessBefore = slowness;
  }

  /** Returns the limit before it was halved last. */
  double limitBefore() {
    return limitBefore;
  }

  /** Whether half the limit made answers faster almost in proportion. */
  boolean showsCrowding(double slowness) {
    return slowness < CROWDED * slownessBefore;
  }

  /** Ends a probe; the next one is due after twice the time. */
  void end(long now) {
    running = false;
    interval = Math.min(LONGEST_INTERVAL_NANOS, 2 * interval);
    endedAt = now;
  }

  /** Ends a probe without a result. */
  void abandon() {
    running = false;
  }

  /** Counts the time to the next probe from now, because the base was found without one. */
  void postpone(long now) {
    endedAt = now;
  }

  /** See {@link RangeLimiter#restate}. */
  void restate(double factor) {
    slownessBefore *= factor;
  }
}
