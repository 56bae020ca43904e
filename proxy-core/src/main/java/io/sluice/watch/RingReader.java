package io.sluice.watch;

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
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns the driver's metadata into the proxy's own values. Stateless. */
final class RingReader {

  private RingReader() {}

  static Ring ring(Metadata metadata, String localDatacenter, DriverPartitioner partitioner) {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (com.datastax.oss.driver.api.core.metadata.Node each : metadata.getNodes().values()) {
      Node node = node(each);
      if (node != null) {
        nodes.put(node.id(), node);
      }
    }
    Map<String, Ring.Replicas> replicas = new HashMap<>();
    metadata
        .getTokenMap()
        .ifPresent(
            map ->
                metadata
                    .getKeyspaces()
                    .keySet()
                    .forEach(
                        name -> {
                          Ring.Replicas owners =
                              replicas(map, name.asInternal(), nodes, localDatacenter);
                          if (owners != null) {
                            replicas.put(name.asInternal(), owners);
                          }
                        }));
    return new Ring(partitioner, localDatacenter, nodes, replicas);
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

  private static Ring.@Nullable Replicas replicas(
      TokenMap map, String keyspace, Map<NodeId, Node> nodes, String localDatacenter) {
    TreeMap<Token, List<NodeId>> byEnd = new TreeMap<>();
    for (TokenRange range : map.getTokenRanges()) {
      List<NodeId> owners =
          local(map.getReplicas(internal(keyspace), range), nodes, localDatacenter);
      byEnd.put(DriverPartitioner.toRing(range.getEnd()), owners);
    }
    return byEnd.isEmpty()
        ? null
        : new Ring.Replicas(List.copyOf(byEnd.keySet()), List.copyOf(byEnd.values()));
  }

  private static com.datastax.oss.driver.api.core.CqlIdentifier internal(String name) {
    return com.datastax.oss.driver.api.core.CqlIdentifier.fromInternal(name);
  }

  private static List<NodeId> local(
      Set<com.datastax.oss.driver.api.core.metadata.Node> owners,
      Map<NodeId, Node> nodes,
      String localDatacenter) {
    List<NodeId> all = new ArrayList<>();
    List<NodeId> here = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.metadata.Node owner : owners) {
      UUID hostId = owner.getHostId();
      Node node = hostId == null ? null : nodes.get(new NodeId(hostId));
      if (node != null) {
        all.add(node.id());
        if (node.datacenter().equals(localDatacenter)) {
          here.add(node.id());
        }
      }
    }
    return here.isEmpty() ? all : here;
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
    for (RelationMetadata relation : relations) {
      if (!relation.getPartitionKey().isEmpty()) {
        tables.put(relation.getName().asInternal(), table(keyspace, relation, masked));
      }
    }
    return tables;
  }

  private static Table table(
      KeyspaceMetadata keyspace, RelationMetadata relation, Set<TableName> masked) {
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
        name.keyspace(), name.name(), key, clustering, types, compact, masked.contains(name));
  }

  private static Table.KeyColumn column(ColumnMetadata column) {
    return new Table.KeyColumn(column.getName().asInternal(), column.getType().asCql(true, false));
  }
}
