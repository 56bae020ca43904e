package io.sluice.offline;

import io.sluice.decide.classify.SchemaText;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.watch.Cluster;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterWatcher;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The model of a cluster, made from a schema and a few numbers. Its nodes form one data centre. Its
 * tokens are pseudo-random, always the same for the same numbers. Immutable.
 */
final class ModelCluster implements Cluster {

  private static final String DATACENTER = "dc1";
  private static final int PORT = 9042;
  private static final long SEED = 1;

  private final ClusterView view;
  private final Estimates estimates;

  ModelCluster(OfflineExplain.Size size, SchemaText schema) {
    Partitioner partitioner = ClusterWatcher.defaultPartitioner();
    Map<NodeId, Node> nodes = new HashMap<>();
    List<NodeId> ids = new ArrayList<>();
    for (int i = 0; i < size.nodes(); i++) {
      NodeId id = new NodeId(new UUID(0, i + 1));
      ids.add(id);
      InetSocketAddress address = InetSocketAddress.createUnresolved("node" + (i + 1), PORT);
      nodes.put(id, new Node(id, address, DATACENTER, "r1", true));
    }
    SortedMap<Token, NodeId> tokens = tokens(ids, size.tokens());
    Map<Integer, Ring.Replicas> byCount = new HashMap<>();
    Map<String, Ring.Replicas> replicas = new HashMap<>();
    Map<TableName, List<Counted>> counted = new HashMap<>();
    for (TableName table : schema.tables().keySet()) {
      int copies = size.replicasOf(table.keyspace(), schema);
      replicas.put(
          table.keyspace(), byCount.computeIfAbsent(copies, count -> owners(tokens, count)));
      counted.put(
          table,
          List.of(new Counted(TokenRange.ALL, size.partitionsOf(table), size.partitionBytes())));
    }
    Ring ring = new Ring(partitioner, DATACENTER, nodes, replicas);
    this.view = new ClusterView(ring, schema, Map.of(), Map.of());
    this.estimates = new Estimates(counted);
  }

  private static SortedMap<Token, NodeId> tokens(List<NodeId> ids, int each) {
    SplittableRandom random = new SplittableRandom(SEED);
    SortedMap<Token, NodeId> tokens = new TreeMap<>();
    for (NodeId id : ids) {
      int drawn = 0;
      while (drawn < each) {
        boolean free = tokens.putIfAbsent(new Token.Murmur3(random.nextLong()), id) == null;
        drawn += free ? 1 : 0;
      }
    }
    return tokens;
  }

  /** Returns the node of each token and the next different nodes around the ring. */
  private static Ring.Replicas owners(SortedMap<Token, NodeId> tokens, int count) {
    List<Token> ends = List.copyOf(tokens.keySet());
    List<NodeId> nodes = List.copyOf(tokens.values());
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      Set<NodeId> own = new LinkedHashSet<>();
      for (int next = i; own.size() < count; next++) {
        own.add(nodes.get(next % nodes.size()));
      }
      owners.add(List.copyOf(own));
    }
    return new Ring.Replicas(ends, owners);
  }

  Estimates estimates() {
    return estimates;
  }

  @Override
  public ClusterView view() {
    return view;
  }

  @Override
  public String clusterName() {
    return "model";
  }

  @Override
  public String cqlVersion() {
    return "3.4.7";
  }

  @Override
  public CompletionStage<Boolean> agreement() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public void estimatesWanted(String keyspace, String table) {
    // The estimates of all tables are known from the start.
  }
}
