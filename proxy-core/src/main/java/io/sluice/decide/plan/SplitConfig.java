package io.sluice.decide.plan;

/**
 * How range reads are split.
 *
 * @param parallel which rule says how many pieces go out together
 * @param targetPartitions partitions a piece should hold at most, by estimate; at least 1
 * @param maxSubRequests pieces of one read that are out at the same time at most; at least 1
 */
public record SplitConfig(Parallel parallel, int targetPartitions, int maxSubRequests) {

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
    if (targetPartitions < 1 || maxSubRequests < 1) {
      throw new IllegalArgumentException("targetPartitions and maxSubRequests are at least 1");
    }
  }
}
