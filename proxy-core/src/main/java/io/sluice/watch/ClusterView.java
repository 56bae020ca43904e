package io.sluice.watch;

import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at one moment. Immutable.
 *
 * @param ring nodes and owners
 * @param catalog tables; the same object as long as the schema did not change
 * @param pools how much nodes work on at once, for those that have said so
 * @param agents Sluice's agents in nodes that have one
 * @param timeouts the largest time-outs that nodes are configured to; null as long as none is known
 */
public record ClusterView(
    Ring ring,
    Catalog catalog,
    Map<NodeId, NodePools> pools,
    Map<NodeId, NodeAgent> agents,
    @Nullable NodeTimeouts timeouts) {

  public ClusterView {
    pools = Map.copyOf(pools);
    agents = Map.copyOf(agents);
  }

  /** A cluster whose nodes' time-outs are not known. */
  public ClusterView(
      Ring ring, Catalog catalog, Map<NodeId, NodePools> pools, Map<NodeId, NodeAgent> agents) {
    this(ring, catalog, pools, agents, null);
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
