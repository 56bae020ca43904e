package io.sluice.watch;

import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Map;

/**
 * The cluster at one moment. Immutable.
 *
 * @param ring nodes and owners
 * @param catalog tables; the same object as long as the schema did not change
 * @param pools how much nodes work on at once, for those that have said so
 * @param agents Sluice's agents in nodes that have one
 */
public record ClusterView(
    Ring ring, Catalog catalog, Map<NodeId, NodePools> pools, Map<NodeId, NodeAgent> agents) {

  public ClusterView {
    pools = Map.copyOf(pools);
    agents = Map.copyOf(agents);
  }

  /** How much {@code node} works on at once. */
  public NodePools pools(NodeId node) {
    return pools.getOrDefault(node, NodePools.DEFAULT);
  }

  /** The agent in {@code node}. */
  public NodeAgent agent(NodeId node) {
    return agents.getOrDefault(node, NodeAgent.ABSENT);
  }
}
