package io.sluice.simulator.cluster;

/**
 * A read at one node. It ends with one of {@link #answered} and {@link #lost}, or silently when it
 * is dropped.
 */
abstract class NodeRead {
  private final double workNanos;
  private final long latestStart;

  /**
   * Creates a read.
   *
   * @param workNanos time of one core
   * @param latestStart a thread that gets to the read later drops it, as Cassandra does
   */
  NodeRead(double workNanos, long latestStart) {
    this.workNanos = workNanos;
    this.latestStart = latestStart;
  }

  final double workNanos() {
    return workNanos;
  }

  final long latestStart() {
    return latestStart;
  }

  final boolean isDropped(long now) {
    return now > latestStart;
  }

  /** Reports that the node has done the read. */
  abstract void answered();

  /** Reports that the node is down. */
  abstract void lost();

  /** Reports that the read is dropped and has no outcome. */
  void dropped() {}
}
