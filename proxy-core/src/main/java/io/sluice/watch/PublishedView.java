package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.sluice.ring.Catalog;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.watch.ClusterView.NodeAgent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The current snapshot of the cluster. Replaces it when a part has changed, and passes each new one
 * to a listener.
 *
 * <p>{@link #view} is safe for any thread; all else happens on one thread.
 */
final class PublishedView {

  private final RingReader reader;
  private final WatchListener listener;
  private Metadata seen;
  private Set<TableName> seenMasks;
  private Map<NodeId, Node> seenNodes = Map.of();
  private volatile ClusterView view;

  /**
   * Builds the first snapshot, about whose nodes nothing is known. {@link #announce} publishes it.
   *
   * @param masked the tables with masked columns
   */
  PublishedView(
      RingReader reader, Metadata metadata, Set<TableName> masked, WatchListener listener) {
    this.reader = reader;
    this.listener = listener;
    this.seen = metadata;
    this.seenMasks = masked;
    this.view =
        new ClusterView(
            reader.ring(metadata), RingReader.catalog(metadata, masked), Map.of(), Map.of());
  }

  ClusterView view() {
    return view;
  }

  /** Passes the current snapshot to the listener. */
  void announce() {
    listener.changed(view);
  }

  /**
   * Publishes a new snapshot if the driver's metadata, a node or the masked tables have changed.
   *
   * @return whether nodes have joined or left
   */
  boolean look(Metadata metadata, Set<TableName> masked) {
    Map<NodeId, Node> nodes = RingReader.nodes(metadata);
    if (metadata == seen && nodes.equals(seenNodes) && masked.equals(seenMasks)) {
      return false;
    }
    boolean nodesChanged = !nodes.keySet().equals(seenNodes.keySet());
    Ring ring = reader.ring(metadata);
    Catalog catalog = catalog(metadata, masked);
    publish(new ClusterView(ring, catalog, view.pools(), view.agents(), view.timeouts()));
    seen = metadata;
    seenMasks = masked;
    seenNodes = nodes;
    return nodesChanged;
  }

  /** Returns the same object as long as the schema is the same: callers compare by identity. */
  private Catalog catalog(Metadata metadata, Set<TableName> masked) {
    return seen.getKeyspaces().equals(metadata.getKeyspaces()) && masked.equals(seenMasks)
        ? view.catalog()
        : RingReader.catalog(metadata, masked);
  }

  /** Publishes the thread pools of all nodes that have reported theirs. */
  void pools(Map<NodeId, NodePools> found) {
    publish(new ClusterView(view.ring(), view.catalog(), found, view.agents(), view.timeouts()));
  }

  /** Publishes the largest of these timeouts. */
  void timeouts(Map<NodeId, NodeTimeouts> found) {
    publish(
        new ClusterView(
            view.ring(),
            view.catalog(),
            view.pools(),
            view.agents(),
            NodeTimeouts.largest(found.values())));
  }

  /**
   * Publishes the state of a node's agent if it has changed, and passes the report on.
   *
   * @param report null when the agent has disappeared
   */
  void agentReported(NodeId node, @Nullable AgentReport report) {
    NodeAgent agent =
        report == null ? NodeAgent.ABSENT : report.enabled() ? NodeAgent.ORDERS : NodeAgent.OFF;
    if (agent != view.agent(node)) {
      Map<NodeId, NodeAgent> next = new HashMap<>(view.agents());
      next.put(node, agent);
      next.values().removeIf(NodeAgent.ABSENT::equals);
      publish(new ClusterView(view.ring(), view.catalog(), view.pools(), next, view.timeouts()));
    }
    listener.agentReported(node, report);
  }

  private void publish(ClusterView next) {
    listener.coming(next);
    view = next;
    listener.changed(next);
  }
}
