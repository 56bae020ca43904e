package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.RelationMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import io.sluice.ring.Catalog;
import io.sluice.ring.IndexTarget;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts the driver's metadata to the proxy's own values. Keyspaces with the same replication
 * share their owners. Successive readings share owners too, as long as no node gains or loses
 * tokens: a changed node state or a new table costs no pass over the ring. Not safe for several
 * threads.
 */
final class RingReader {

  private final String localDatacenter;
  private final DriverPartitioner partitioner;

  /** The driver's token ranges; a different object exactly when tokens have changed. */
  private @Nullable Set<TokenRange> ranges;

  private Map<NodeId, String> datacenters = Map.of();
  private List<TokenRange> ordered = List.of();
  private List<Token> ends = List.of();

  /** The owners in each data centre, by replication. */
  private Map<Map<String, String>, Map<String, Ring.Replicas>> byReplication = new HashMap<>();

  RingReader(String localDatacenter, DriverPartitioner partitioner) {
    this.localDatacenter = localDatacenter;
    this.partitioner = partitioner;
  }

  /** Returns the nodes whose ids are known. The driver changes them without new metadata. */
  static Map<NodeId, Node> nodes(Metadata metadata) {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (com.datastax.oss.driver.api.core.metadata.Node each : metadata.getNodes().values()) {
      Node node = node(each);
      if (node != null) {
        nodes.put(node.id(), node);
      }
    }
    return nodes;
  }

  Ring ring(Metadata metadata) {
    Map<NodeId, Node> nodes = nodes(metadata);
    Map<String, Map<String, Ring.Replicas>> replicas =
        metadata.getTokenMap().map(map -> replicas(metadata, map, nodes)).orElse(Map.of());
    return Ring.of(partitioner, localDatacenter, nodes, replicas);
  }

  /** Returns the owners by data centre and keyspace. */
  private Map<String, Map<String, Ring.Replicas>> replicas(
      Metadata metadata, TokenMap map, Map<NodeId, Node> nodes) {
    dropOutdatedOwners(map, nodes);
    Map<String, Map<String, Ring.Replicas>> all = new HashMap<>();
    Map<Map<String, String>, Map<String, Ring.Replicas>> known = byReplication;
    byReplication = new HashMap<>();
    if (!ends.isEmpty()) {
      metadata
          .getKeyspaces()
          .forEach(
              (name, keyspace) -> {
                Map<String, String> replication =
                    keyspace.isVirtual() ? Map.of() : keyspace.getReplication();
                Map<String, Ring.Replicas> owners = byReplication.get(replication);
                if (owners == null) {
                  owners = known.get(replication);
                }
                if (owners == null) {
                  owners = replicas(map, name, nodes);
                }
                byReplication.put(replication, owners);
                owners.forEach(
                    (datacenter, there) ->
                        all.computeIfAbsent(datacenter, any -> new HashMap<>())
                            .put(name.asInternal(), there));
              });
    }
    return all;
  }

  @SuppressWarnings("ReferenceEquality") // Comparing all tokens would cost as much as reading them.
  private void dropOutdatedOwners(TokenMap map, Map<NodeId, Node> nodes) {
    Map<NodeId, String> now = new HashMap<>();
    nodes.values().forEach(node -> now.put(node.id(), node.datacenter()));
    Set<TokenRange> all = map.getTokenRanges();
    if (all != ranges || !now.equals(datacenters)) {
      ranges = all;
      datacenters = now;
      byReplication = new HashMap<>();
      TreeMap<Token, TokenRange> byEnd = new TreeMap<>();
      all.forEach(range -> byEnd.put(DriverPartitioner.toRing(range.getEnd()), range));
      ordered = List.copyOf(byEnd.values());
      ends = List.copyOf(byEnd.keySet());
    }
  }

  private static @Nullable Node node(com.datastax.oss.driver.api.core.metadata.Node node) {
    UUID hostId = node.getHostId();
    if (hostId == null) {
      return null;
    }
    return new Node(
        new NodeId(hostId),
        address(node.getEndPoint()),
        String.valueOf(node.getDatacenter()),
        String.valueOf(node.getRack()),
        node.getState() == NodeState.UP || node.getState() == NodeState.UNKNOWN);
  }

  private static InetSocketAddress address(EndPoint endPoint) {
    return (InetSocketAddress) endPoint.resolve();
  }

  /**
   * Returns the owners in each data centre that owns any range. A range without an owner there has
   * an empty list.
   */
  private Map<String, Ring.Replicas> replicas(
      TokenMap map, CqlIdentifier keyspace, Map<NodeId, Node> nodes) {
    Map<List<NodeId>, List<NodeId>> known = new HashMap<>();
    Map<String, List<List<NodeId>>> owners = new HashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      Map<String, List<NodeId>> of = byDatacenter(map.getReplicas(keyspace, ordered.get(i)), nodes);
      for (Map.Entry<String, List<NodeId>> there : of.entrySet()) {
        List<NodeId> all = List.copyOf(there.getValue());
        owners
            .computeIfAbsent(there.getKey(), any -> withoutOwners())
            .set(i, known.computeIfAbsent(all, same -> same));
      }
    }
    Map<String, Ring.Replicas> replicas = new HashMap<>();
    owners.forEach((datacenter, there) -> replicas.put(datacenter, new Ring.Replicas(ends, there)));
    return replicas;
  }

  private List<List<NodeId>> withoutOwners() {
    return new ArrayList<>(Collections.nCopies(ordered.size(), List.of()));
  }

  private static Map<String, List<NodeId>> byDatacenter(
      Set<com.datastax.oss.driver.api.core.metadata.Node> owners, Map<NodeId, Node> nodes) {
    Map<String, List<NodeId>> all = new HashMap<>();
    for (com.datastax.oss.driver.api.core.metadata.Node owner : owners) {
      UUID hostId = owner.getHostId();
      Node node = hostId == null ? null : nodes.get(new NodeId(hostId));
      if (node != null) {
        all.computeIfAbsent(node.datacenter(), any -> new ArrayList<>()).add(node.id());
      }
    }
    return all;
  }

  static Catalog catalog(Metadata metadata, Set<TableName> masked) {
    Map<String, Map<String, Table>> byKeyspace = new HashMap<>();
    metadata
        .getKeyspaces()
        .forEach((name, keyspace) -> byKeyspace.put(name.asInternal(), tables(keyspace, masked)));
    return (keyspace, table) -> {
      Map<String, Table> tables = byKeyspace.get(keyspace);
      return tables == null ? null : tables.get(table);
    };
  }

  private static Map<String, Table> tables(KeyspaceMetadata keyspace, Set<TableName> masked) {
    Map<String, Table> tables = new HashMap<>();
    List<RelationMetadata> relations = new ArrayList<>(keyspace.getTables().values());
    relations.addAll(keyspace.getViews().values());
    Set<String> functions = functions(keyspace);
    for (RelationMetadata relation : relations) {
      if (!relation.getPartitionKey().isEmpty()) {
        tables.put(relation.getName().asInternal(), table(keyspace, relation, masked, functions));
      }
    }
    return tables;
  }

  private static Set<String> functions(KeyspaceMetadata keyspace) {
    return Stream.of(keyspace.getFunctions(), keyspace.getAggregates())
        .flatMap(each -> each.keySet().stream())
        .map(signature -> signature.getName().asInternal())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Table table(
      KeyspaceMetadata keyspace,
      RelationMetadata relation,
      Set<TableName> masked,
      Set<String> functions) {
    List<Table.KeyColumn> key =
        relation.getPartitionKey().stream().map(RingReader::column).toList();
    List<Table.KeyColumn> clustering =
        relation.getClusteringColumns().keySet().stream().map(RingReader::column).toList();
    Map<String, String> types = new HashMap<>();
    for (ColumnMetadata each : relation.getColumns().values()) {
      Table.KeyColumn column = column(each);
      types.put(column.name(), column.type());
    }
    boolean compact = relation instanceof TableMetadata table && table.isCompactStorage();
    TableName name =
        new TableName(keyspace.getName().asInternal(), relation.getName().asInternal());
    return new Table(
        name.keyspace(),
        name.name(),
        key,
        clustering,
        types,
        compact,
        masked.contains(name),
        functions,
        relation instanceof TableMetadata table ? indexed(table) : Set.of());
  }

  private static Set<String> indexed(TableMetadata table) {
    Set<String> columns = new HashSet<>();
    table
        .getIndexes()
        .values()
        .forEach(index -> columns.addAll(IndexTarget.columns(index.getTarget())));
    return columns;
  }

  private static Table.KeyColumn column(ColumnMetadata column) {
    return new Table.KeyColumn(column.getName().asInternal(), column.getType().asCql(true, false));
  }
}
