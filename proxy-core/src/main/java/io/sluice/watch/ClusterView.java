package io.sluice.watch;

import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Map;

/**
 * What is known of the cluster at one moment. Immutable.
 *
 * @param ring nodes and owners
 * @param catalog tables; the same object as long as the schema did not change
 * @param concurrentReads how many reads a node runs at once, for those that were asked
 */
public record ClusterView(Ring ring, Catalog catalog, Map<NodeId, Integer> concurrentReads) {

  /** What nodes run at once unless they are configured otherwise. */
  private static final int DEFAULT_CONCURRENT_READS = 32;

  public ClusterView {
    concurrentReads = Map.copyOf(concurrentReads);
  }

  /** How many reads {@code node} runs at once. */
  public int concurrentReads(NodeId node) {
    return concurrentReads.getOrDefault(node, DEFAULT_CONCURRENT_READS);
  }
}
