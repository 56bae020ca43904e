package io.sluice;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.watch.NodeTimeouts;
import io.sluice.watch.TestCluster;
import io.sluice.wire.FakeNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The view that the proxy of a {@link PathFixture} has of its nodes, which a test may change. */
final class PathView {

  final TestCluster cluster;
  private final Partitioner partitioner;

  /**
   * Creates a view. Each node owns everything, or each pair of neighbours owns a piece.
   *
   * @param unreachable nodes besides {@code nodes} that accept no connection
   */
  PathView(List<FakeNode> nodes, int unreachable, boolean pieces, Partitioner partitioner) {
    this.partitioner = partitioner;
    InetSocketAddress closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Map<NodeId, Node> all = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size() + unreachable; i++) {
      NodeId id = new NodeId(new UUID(0, i + 1));
      InetSocketAddress address = i < nodes.size() ? nodes.get(i).address() : closed;
      all.put(id, new Node(id, address, "dc1", "r1", true));
    }
    this.cluster = new TestCluster(view(all, owners(List.copyOf(all.keySet()), pieces)));
  }

  private static Map<String, Ring.Replicas> owners(List<NodeId> all, boolean pieces) {
    if (all.isEmpty()) {
      return Map.of();
    }
    return Map.of(
        "ks", pieces ? pairs(all) : new Ring.Replicas(List.of(new Token.Murmur3(0)), List.of(all)));
  }

  private static Ring.Replicas pairs(List<NodeId> all) {
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      ends.add(new Token.Murmur3(100L * (i + 1)));
      owners.add(List.of(all.get(i), all.get((i + 1) % all.size())));
    }
    return new Ring.Replicas(ends, owners);
  }

  private ClusterView view(Map<NodeId, Node> nodes, Map<String, Ring.Replicas> owners) {
    Ring ring = new Ring(partitioner, "dc1", nodes, owners);
    return new ClusterView(ring, PathView::table, Map.of(), Map.of());
  }

  private static @Nullable Table table(String keyspace, String table) {
    return keyspace.equals("ks") && table.equals("t")
        ? new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")))
        : null;
  }

  Ring ring() {
    return cluster.view().ring();
  }

  /** Sets the timeouts that the nodes report. */
  void configured(NodeTimeouts timeouts) {
    ClusterView view = cluster.view();
    cluster.becomes(new ClusterView(view.ring(), view.catalog(), view.pools(), Map.of(), timeouts));
  }

  /** Reports Sluice's agent in a node. */
  void hasAgent(int node) {
    NodeId id = new NodeId(new UUID(0, node + 1));
    ClusterView view = cluster.view();
    Map<NodeId, NodeAgent> agents = new HashMap<>(view.agents());
    agents.put(id, NodeAgent.ORDERS);
    cluster.becomes(new ClusterView(view.ring(), view.catalog(), view.pools(), agents));
  }

  /** Removes all nodes. */
  void forgetNodes() {
    cluster.becomes(view(Map.of(), Map.of()));
  }
}
