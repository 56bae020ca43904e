package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/**
 * The limits that a node reports.
 *
 * @param node the node
 * @param concurrentReads reads it may be given at once (K): the limit of its ReadStage, 32 unless
 *     configured, as what is beyond waits there in the order it came; at least 1
 */
public record NodeLimits(NodeId node, int concurrentReads) {

  public NodeLimits {
    if (concurrentReads < 1) {
      throw new IllegalArgumentException(
          "concurrentReads of " + node + " must be at least 1, not " + concurrentReads);
    }
  }

  /**
   * A node that keeps its read stage in order itself: reads may wait there, as long as they leave a
   * quarter of the threads that begin requests to everything else. Where those run out, requests
   * wait in the order they came, whatever they are.
   *
   * @param requestThreads CQL requests it begins at once, {@code native_transport_max_threads}
   */
  public static NodeLimits ofOrdered(NodeId node, int concurrentReads, int requestThreads) {
    return new NodeLimits(node, Math.max(concurrentReads, requestThreads * 3 / 4));
  }
}
