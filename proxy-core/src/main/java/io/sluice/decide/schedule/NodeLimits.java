package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/**
 * What a node says it can take.
 *
 * @param node the node
 * @param concurrentReads reads it runs at once: the limit of its ReadStage, 32 unless configured;
 *     at least 1
 */
public record NodeLimits(NodeId node, int concurrentReads) {

  public NodeLimits {
    if (concurrentReads < 1) {
      throw new IllegalArgumentException(
          "concurrentReads of " + node + " must be at least 1, not " + concurrentReads);
    }
  }
}
