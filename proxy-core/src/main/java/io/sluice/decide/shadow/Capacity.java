package io.sluice.decide.shadow;

/**
 * The work that a node does per time when it has more than it can do at once: the cores that it has
 * for reads. By the law of conservation of work that is the same in whatever order it does them, so
 * it can be measured at a node that is given everything at once. Times are in ns. Not safe for
 * several threads.
 */
final class Capacity {
  private static final int MIN_ANSWERS = 10;
  private static final long MIN_NANOS = 100_000_000;
  private static final double PACE = 0.5;

  /** Reads that get on at less than this share of their full speed wait for each other. */
  private static final double CROWDED = 0.5;

  private double cores = Double.POSITIVE_INFINITY;
  private boolean opened;
  private long lastAnswer;
  private long busy;
  private int answers;
  private double work;
  private double took;

  /** Work per time; infinite until the node was seen with more than it can do. */
  double cores() {
    return cores;
  }

  /**
   * The node has answered.
   *
   * @param workNanos the work that was in it, above 0
   * @param tookNanos time from when it was sent, at least 1
   * @param at when it came
   */
  void answered(double workNanos, long tookNanos, long at) {
    // While nothing was under way, the node had nothing to do.
    busy += opened ? Math.max(0, Math.min(at - lastAnswer, tookNanos)) : tookNanos;
    opened = true;
    lastAnswer = Math.max(lastAnswer, at);
    answers++;
    work += workNanos;
    took += (double) tookNanos;
    if (answers >= MIN_ANSWERS && busy >= MIN_NANOS) {
      close();
    }
  }

  private void close() {
    double done = work / (double) busy;
    if (work < CROWDED * took) {
      cores = Double.isInfinite(cores) ? done : cores + PACE * (done - cores);
    } else if (!Double.isInfinite(cores)) {
      cores = Math.max(cores, done);
    }
    busy = 0;
    answers = 0;
    work = 0;
    took = 0;
  }
}
