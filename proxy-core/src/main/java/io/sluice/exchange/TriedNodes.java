package io.sluice.exchange;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a read has tried, each once, and those that it may still try. A hedged read shares
 * them with its second request. Not safe for several threads: its client's lane.
 */
final class TriedNodes {

  /** Limit on nodes that are not replicas: they return Cassandra's own error. */
  private static final int MAX_OTHERS = 2;

  /** The bound for a read that any node of a large data centre can serve. */
  private static final int MAX_NODES = 32;

  private @Nullable NodeId first;

  /** The nodes after the first; null until there is one, because most reads try one node. */
  private @Nullable List<NodeId> further;

  void add(NodeId node) {
    if (first == null) {
      first = node;
    } else if (!contains(node)) {
      if (further == null) {
        further = new ArrayList<>(2);
      }
      further.add(node);
    }
  }

  private boolean contains(NodeId node) {
    return node.equals(first) || (further != null && further.contains(node));
  }

  /** Whether no further node may be tried. */
  boolean isFull() {
    return further != null && further.size() + 1 >= MAX_NODES;
  }

  /** Returns those of {@code nodes} that were not tried. */
  List<NodeId> without(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !contains(node)).toList();
  }

  /** Whether one more node may be tried that is no replica. */
  boolean mayTryOthers(List<NodeId> replicas) {
    int others = first == null || replicas.contains(first) ? 0 : 1;
    if (further != null) {
      for (NodeId node : further) {
        others += replicas.contains(node) ? 0 : 1;
      }
    }
    return others < MAX_OTHERS;
  }
}
