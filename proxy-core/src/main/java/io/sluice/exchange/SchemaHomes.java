package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The node of each client's last schema change, until schema agreement. Requests that any node can
 * serve go to that node meanwhile, because it knows the client's new tables, as without a proxy.
 * Safe for any thread.
 */
public final class SchemaHomes {

  private final ConcurrentHashMap<Long, NodeId> byClient = new ConcurrentHashMap<>();
  private final NodeHealth health;

  /** Creates an empty map. */
  public SchemaHomes(NodeHealth health) {
    this.health = health;
  }

  /** Records the node at which a client has changed the schema. */
  void changed(Client client, NodeId node) {
    byClient.put(client.id(), node);
  }

  /** Returns the node that knows the client's changes; null when all nodes know them. */
  @Nullable NodeId of(Client client) {
    return byClient.isEmpty() ? null : byClient.get(client.id());
  }

  /** Removes a client after schema agreement, or when its connection has closed. */
  public void forget(Client client) {
    byClient.remove(client.id());
  }

  /**
   * Moves the node that knows the client's changes to the front. This includes a silent node,
   * because nodes are silent while they change the schema, but not a node that is down.
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
