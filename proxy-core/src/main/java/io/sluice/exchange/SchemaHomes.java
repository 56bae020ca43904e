package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The node of each client's last schema change, until schema agreement, or for a while after a wait
 * that ended without it. Requests that any node can serve go to that node meanwhile, because it
 * knows the client's new tables, as without a proxy. Safe for any thread.
 */
public final class SchemaHomes {

  /**
   * How long a change is kept after a wait that ended without agreement. Nodes that answer agree by
   * then, and a silent node may never answer; it may be the node of the change.
   */
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** One schema change. Two changes at the same node are not equal. */
  static final class Change {

    private final NodeId node;

    private Change(NodeId node) {
      this.node = node;
    }
  }

  private final ConcurrentHashMap<Long, Change> byClient = new ConcurrentHashMap<>();
  private final NodeHealth health;

  /** Creates an empty map. */
  public SchemaHomes(NodeHealth health) {
    this.health = health;
  }

  /** Records the node at which a client has changed the schema. */
  void changed(Client client, NodeId node) {
    byClient.put(client.id(), new Change(node));
  }

  /** Returns the client's last change that not all nodes know; null without one. */
  @Nullable Change lastChange(Client client) {
    return byClient.isEmpty() ? null : byClient.get(client.id());
  }

  /** Removes a change after schema agreement. A later change of the client stays. */
  void agreed(Client client, Change change) {
    byClient.remove(client.id(), change);
  }

  /**
   * Restores a change that not all nodes know, because the agreement of a later change may have
   * removed it, and removes it after {@link #KEPT_NANOS}. A later change of the client stays.
   */
  void notAgreed(Client client, Change change) {
    byClient.putIfAbsent(client.id(), change);
    client.lane().schedule(KEPT_NANOS, () -> byClient.remove(client.id(), change));
  }

  /** Removes a client when its connection has closed. */
  public void forget(Client client) {
    byClient.remove(client.id());
  }

  /**
   * Moves the node that knows the client's changes to the front. This includes a silent node,
   * because nodes are silent while they change the schema, but not a node that is down.
   */
  List<NodeId> first(Client client, List<NodeId> nodes) {
    Change last = lastChange(client);
    NodeId home = last == null ? null : last.node;
    if (home == null || health.isDown(home) || !nodes.contains(home)) {
      return nodes;
    }
    List<NodeId> ordered = new ArrayList<>(nodes.size());
    ordered.add(home);
    nodes.stream().filter(node -> !node.equals(home)).forEach(ordered::add);
    return ordered;
  }
}
