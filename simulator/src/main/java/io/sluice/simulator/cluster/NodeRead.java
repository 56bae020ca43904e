package io.sluice.simulator.cluster;

/**
 * A read at one node. It ends with one of its two methods, or without a word when it is dropped.
 */
abstract class NodeRead {
  private final double workNanos;
  private final long latestStart;

  /**
   * Describes a read.
   *
   * @param workNanos time of one core
   * @param latestStart a thread that gets to it later drops it, as Cassandra does
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

  /** The node has done it. */
  abstract void answered();

  /** The node is gone. */
  abstract void lost();

  /** Its outcome will not be told. */
  void dropped() {}
}
