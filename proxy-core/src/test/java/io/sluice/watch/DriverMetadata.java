package io.sluice.watch;

import static java.util.stream.Collectors.toSet;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultReplicationStrategyFactory;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultTokenMap;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Builds the metadata that the driver would have of some nodes and keyspaces. */
final class DriverMetadata {

  static final DefaultDriverContext CONTEXT =
      new DefaultDriverContext(
          DriverConfigLoader.programmaticBuilder().build(),
          ProgrammaticArguments.builder().build());

  final List<DefaultNode> nodes = new ArrayList<>();
  final Map<CqlIdentifier, KeyspaceMetadata> keyspaces = new LinkedHashMap<>();

  /** The driver's node, which only the driver can tell what it is. */
  static DefaultNode driverNode(
      int number, @Nullable UUID id, String datacenter, String rack, long... tokens) {
    DefaultNode node =
        new DefaultNode(
            new DefaultEndPoint(new InetSocketAddress("10.0.0." + number, 9042)), CONTEXT);
    set(node, "hostId", id);
    set(node, "datacenter", datacenter);
    set(node, "rack", rack);
    set(node, "rawTokens", LongStream.of(tokens).mapToObj(Long::toString).collect(toSet()));
    set(node, "state", NodeState.UP);
    return node;
  }

  static void set(DefaultNode node, String name, @Nullable Object value) {
    try {
      Field field = DefaultNode.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(node, value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private record FakeMetadata(
      Map<UUID, com.datastax.oss.driver.api.core.metadata.Node> nodes,
      Map<CqlIdentifier, KeyspaceMetadata> keyspaces,
      @Nullable TokenMap tokens)
      implements Metadata {

    @Override
    public Map<UUID, com.datastax.oss.driver.api.core.metadata.Node> getNodes() {
      return nodes;
    }

    @Override
    public Map<CqlIdentifier, KeyspaceMetadata> getKeyspaces() {
      return keyspaces;
    }

    @Override
    public Optional<TokenMap> getTokenMap() {
      return Optional.ofNullable(tokens);
    }

    @Override
    public Optional<String> getClusterName() {
      return Optional.of("test");
    }
  }

  DefaultNode node(int number, String datacenter, String rack, long... tokens) {
    DefaultNode node = driverNode(number, new UUID(0, number), datacenter, rack, tokens);
    nodes.add(node);
    return node;
  }

  void keyspace(String name, Map<String, String> replication, TableMetadata... tables) {
    Map<CqlIdentifier, TableMetadata> byName = new LinkedHashMap<>();
    for (TableMetadata table : tables) {
      byName.put(table.getName(), table);
    }
    keyspaces.put(
        id(name),
        new DefaultKeyspaceMetadata(
            id(name), true, false, replication, Map.of(), byName, Map.of(), Map.of(), Map.of()));
  }

  static CqlIdentifier id(String name) {
    return CqlIdentifier.fromInternal(name);
  }

  static Map<String, String> simple(int replicas) {
    return Map.of(
        "class",
        "org.apache.cassandra.locator.SimpleStrategy",
        "replication_factor",
        String.valueOf(replicas));
  }

  static Map<String, String> topology(Map<String, String> replicas) {
    Map<String, String> all = new TreeMap<>(replicas);
    all.put("class", "org.apache.cassandra.locator.NetworkTopologyStrategy");
    return all;
  }

  TokenMap tokens() {
    return DefaultTokenMap.build(
        List.copyOf(nodes),
        keyspaces.values(),
        new Murmur3TokenFactory(),
        new DefaultReplicationStrategyFactory(CONTEXT),
        "test");
  }

  Metadata metadata(@Nullable TokenMap tokens) {
    Map<UUID, com.datastax.oss.driver.api.core.metadata.Node> byId = new LinkedHashMap<>();
    // The driver's map has the node under an id, even if the node itself has none yet.
    nodes.forEach(
        node ->
            byId.put(Objects.requireNonNullElse(node.getHostId(), new UUID(1, byId.size())), node));
    return new FakeMetadata(byId, new LinkedHashMap<>(keyspaces), tokens);
  }
}
