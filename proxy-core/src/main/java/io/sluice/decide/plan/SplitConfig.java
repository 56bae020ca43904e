package io.sluice.decide.plan;

import io.sluice.setting.Requirements;

/**
 * The settings for splitting range reads. Immutable.
 *
 * @param parallel the rule that decides how many pieces go out together
 * @param targetPartitions largest number of partitions of a piece, by estimate; at least 1
 * @param minRows most rows that neighbouring ranges of several owners have together, by estimate,
 *     to be one piece; at least 0, where each owner is asked for its own; only with {@link
 *     Parallel#WAVES}
 * @param maxSubRequests largest number of pieces of one read that go out together; at least 1
 * @param maxBufferedBytes memory for answers that wait for their turn in a page, for all reads
 *     together; above it only the piece that is next in order is asked; at least 1 MiB
 * @param shareScans whether queued range reads that want the same rows are read together
 */
public record SplitConfig(
    Parallel parallel,
    int targetPartitions,
    int minRows,
    int maxSubRequests,
    long maxBufferedBytes,
    boolean shareScans) {

  private static final long MIN_BUFFER = 1 << 20;

  /** The rules for the number of pieces. */
  public enum Parallel {
    /** Range reads go to one node whole. */
    OFF,
    /**
     * The rule of the paper: the smallest N with Σ<sub>i=1..N</sub> estimate(i) ≥ wanted. Pieces 0
     * to N go out, all of them with the full limit.
     */
    PAPER,
    /**
     * The rule of the paper with a margin and a clipped last piece; the results of earlier waves
     * size later ones.
     */
    WAVES
  }

  public SplitConfig {
    Requirements.of("split")
        .atLeast("targetPartitions", targetPartitions, 1)
        .atLeast("minRows", minRows, 0)
        .atLeast("maxSubRequests", maxSubRequests, 1)
        .atLeast("maxBufferedBytes", maxBufferedBytes, MIN_BUFFER)
        .check();
  }

  /** Returns the default settings. */
  public static SplitConfig defaults() {
    return new SplitConfig(Parallel.WAVES, 10_000, 128, 64, 64 << 20, true);
  }
}
