package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/**
 * The limits that a node reports.
 *
 * @param node the node
 * @param concurrentReads reads that the node may be given at once (K); at least 1. It is the limit
 *     of the node's ReadStage, 32 unless configured; reads beyond it wait there in arrival order
 */
public record NodeLimits(NodeId node, int concurrentReads) {

  public NodeLimits {
    if (concurrentReads < 1) {
      throw new IllegalArgumentException(
          "concurrentReads of " + node + " must be at least 1, not " + concurrentReads);
    }
  }

  /**
   * Returns the limits of a node that orders its read stage itself. Reads may wait there as long as
   * they leave a quarter of the request threads to everything else. When all request threads are
   * busy, requests of all kinds wait in arrival order.
   *
   * @param requestThreads CQL requests that the node processes at once, {@code
   *     native_transport_max_threads}
   */
  public static NodeLimits ofOrdered(NodeId node, int concurrentReads, int requestThreads) {
    return new NodeLimits(node, Math.max(concurrentReads, requestThreads * 3 / 4));
  }
}
