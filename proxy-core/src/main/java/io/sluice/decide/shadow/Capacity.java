package io.sluice.decide.shadow;

/**
 * The work that an overloaded node does per unit of time: the cores that it has for reads. By the
 * law of conservation of work it is the same in any order of reads, so it can be measured at a node
 * that gets everything at once. Times are in ns. Not safe for several threads.
 */
final class Capacity {
  private static final int MIN_ANSWERS = 10;
  private static final long MIN_NANOS = 100_000_000;
  private static final double PACE = 0.5;

  /** Reads that run at less than this share of their full speed wait for each other. */
  private static final double CROWDED = 0.5;

  private double cores = Double.POSITIVE_INFINITY;
  private boolean opened;
  private long lastAnswer;
  private long busy;
  private int answers;
  private double work;
  private double took;

  /** Returns the work per unit of time; infinite before the node was first overloaded. */
  double cores() {
    return cores;
  }

  /**
   * Adds an answer of the node.
   *
   * @param workNanos the work in the answer, above 0
   * @param tookNanos time since the read was sent, at least 1
   * @param at when the answer came
   */
  void answered(double workNanos, long tookNanos, long at) {
    // Without reads in flight the node was idle.
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
