package io.sluice.decide.plan;

import io.sluice.setting.Requirements;

/**
 * The settings for splitting range reads.
 *
 * @param parallel which rule says how many pieces go out together
 * @param targetPartitions partitions a piece should hold at most, by estimate; at least 1
 * @param minRows rows that pieces of several owners have together at most, by estimate, to be one
 *     piece; at least 0, at which each owner is asked for its own; only with {@link Parallel#WAVES}
 * @param maxSubRequests pieces of one read that go out together at most; at least 1
 * @param maxBufferedBytes memory for answers that wait for their turn in a page, of all reads
 *     together; above it only the piece that is next in order is asked; at least 1 MiB
 * @param shareScans whether range reads that wait and want the same rows are read together
 */
public record SplitConfig(
    Parallel parallel,
    int targetPartitions,
    int minRows,
    int maxSubRequests,
    long maxBufferedBytes,
    boolean shareScans) {

  private static final long LEAST_BUFFER = 1 << 20;

  /** The rules. */
  public enum Parallel {
    /** A range read goes to one node whole. */
    OFF,
    /**
     * The paper's: the smallest N with Σ<sub>i=1..N</sub> estimate(i) ≥ wanted, so that pieces 0 to
     * N go out, all of them with the full limit.
     */
    PAPER,
    /** The paper's with a margin, a clipped last piece, and later waves sized by what came back. */
    WAVES
  }

  public SplitConfig {
    Requirements.of("split")
        .atLeast("targetPartitions", targetPartitions, 1)
        .atLeast("minRows", minRows, 0)
        .atLeast("maxSubRequests", maxSubRequests, 1)
        .atLeast("maxBufferedBytes", maxBufferedBytes, LEAST_BUFFER)
        .check();
  }

  /** What is right unless an operator knows better. */
  public static SplitConfig defaults() {
    return new SplitConfig(Parallel.WAVES, 10_000, 128, 64, 64 << 20, true);
  }
}
