package io.sluice.watch;

import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the cluster. Immutable.
 *
 * @param ring nodes and owners
 * @param catalog tables; the same object as long as the schema does not change
 * @param pools the thread pools of the nodes that have reported theirs
 * @param agents the node agents, by node
 * @param timeouts the largest configured timeouts of all nodes; null as long as none is known
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

  /** Creates a view of a cluster whose timeouts are unknown. */
  public ClusterView(
      Ring ring, Catalog catalog, Map<NodeId, NodePools> pools, Map<NodeId, NodeAgent> agents) {
    this(ring, catalog, pools, agents, null);
  }

  /** Returns the thread pools of {@code node}; those of the default configuration if unknown. */
  public NodePools pools(NodeId node) {
    return pools.getOrDefault(node, NodePools.DEFAULT);
  }

  /** Returns the state of the agent in {@code node}. */
  public NodeAgent agent(NodeId node) {
    return agents.getOrDefault(node, NodeAgent.ABSENT);
  }

  /** The state of the agent in a node, as far as the proxy knows it. */
  public enum NodeAgent {
    /** The node has no agent, or none that reports. */
    ABSENT,
    /** The agent is switched off: the node runs reads in the order in which they arrive. */
    OFF,
    /** The agent orders the node's read stage. */
    ORDERS
  }
}
