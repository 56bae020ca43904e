package io.sluice.exchange;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes that a read has tried, each once, and those that it may still try. A hedged read shares
 * them with its second request. Not safe for several threads: its client's lane.
 */
final class TriedNodes {

  /** Limit on nodes that are not replicas: they return Cassandra's own error. */
  private static final int MAX_OTHERS = 2;

  /** The bound for a read that any node of a large data centre can serve. */
  private static final int MAX_NODES = 32;

  /** A list, because there is rarely more than one. */
  private final List<NodeId> tried = new ArrayList<>(1);

  void add(NodeId node) {
    if (!tried.contains(node)) {
      tried.add(node);
    }
  }

  /** Whether no further node may be tried. */
  boolean isFull() {
    return tried.size() >= MAX_NODES;
  }

  /** Returns those of {@code nodes} that were not tried. */
  List<NodeId> without(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !tried.contains(node)).toList();
  }

  /** Whether one more node may be tried that is no replica. */
  boolean mayTryOthers(List<NodeId> replicas) {
    return tried.stream().filter(node -> !replicas.contains(node)).count() < MAX_OTHERS;
  }
}
