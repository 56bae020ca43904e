package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The node at which a client has last changed the schema, as long as other nodes may not know that
 * change. What the client asks of any node goes there, as it would without a proxy: a table that it
 * has created is there. Safe for any thread.
 */
public final class SchemaHomes {

  private final ConcurrentHashMap<Long, NodeId> byClient = new ConcurrentHashMap<>();
  private final NodeHealth health;

  /** No client has changed anything. */
  public SchemaHomes(NodeHealth health) {
    this.health = health;
  }

  /** A node has changed the schema for a client. */
  void changed(Client client, NodeId node) {
    byClient.put(client.id(), node);
  }

  /** The node that knows the client's changes; null when all nodes do. */
  @Nullable NodeId of(Client client) {
    return byClient.isEmpty() ? null : byClient.get(client.id());
  }

  /** All nodes know the client's changes, or the client is gone. */
  public void forget(Client client) {
    byClient.remove(client.id());
  }

  /**
   * The same nodes, the one that knows the client's changes first: even if it is silent, since a
   * node is while it changes its schema, but not if it is down.
   */
  List<NodeId> first(Client client, List<NodeId> nodes) {
    NodeId home = of(client);
    if (home == null || health.isDown(home) || !nodes.contains(home)) {
      return nodes;
    }
    List<NodeId> ordered = new ArrayList<>(nodes.size());
    ordered.add(home);
    nodes.stream().filter(node -> !node.equals(home)).forEach(ordered::add);
    return ordered;
  }
}
