package io.sluice.watch;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultReplicationStrategyFactory;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultTokenMap;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import io.sluice.ring.Catalog;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reading of the driver's metadata: the driver's own token map is the oracle. */
class RingReaderTest {

  private static final DefaultDriverContext CONTEXT =
      new DefaultDriverContext(
          DriverConfigLoader.programmaticBuilder().build(),
          ProgrammaticArguments.builder().build());

  private final List<DefaultNode> nodes = new ArrayList<>();
  private final Map<CqlIdentifier, KeyspaceMetadata> keyspaces = new LinkedHashMap<>();

  /** The driver's node, which only the driver can tell what it is. */
  private static DefaultNode driverNode(
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

  private static void set(DefaultNode node, String name, @Nullable Object value) {
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

  private DefaultNode node(int number, String datacenter, String rack, long... tokens) {
    DefaultNode node = driverNode(number, new UUID(0, number), datacenter, rack, tokens);
    nodes.add(node);
    return node;
  }

  private void keyspace(String name, Map<String, String> replication, TableMetadata... tables) {
    Map<CqlIdentifier, TableMetadata> byName = new LinkedHashMap<>();
    for (TableMetadata table : tables) {
      byName.put(table.getName(), table);
    }
    keyspaces.put(
        id(name),
        new DefaultKeyspaceMetadata(
            id(name), true, false, replication, Map.of(), byName, Map.of(), Map.of(), Map.of()));
  }

  private static CqlIdentifier id(String name) {
    return CqlIdentifier.fromInternal(name);
  }

  private static Map<String, String> simple(int replicas) {
    return Map.of(
        "class",
        "org.apache.cassandra.locator.SimpleStrategy",
        "replication_factor",
        String.valueOf(replicas));
  }

  private static Map<String, String> topology(Map<String, String> replicas) {
    Map<String, String> all = new TreeMap<>(replicas);
    all.put("class", "org.apache.cassandra.locator.NetworkTopologyStrategy");
    return all;
  }

  private TokenMap tokens() {
    return DefaultTokenMap.build(
        List.copyOf(nodes),
        keyspaces.values(),
        new Murmur3TokenFactory(),
        new DefaultReplicationStrategyFactory(CONTEXT),
        "test");
  }

  private Metadata metadata(@Nullable TokenMap tokens) {
    Map<UUID, com.datastax.oss.driver.api.core.metadata.Node> byId = new LinkedHashMap<>();
    // The driver has them under an id, whatever the node itself says by now.
    nodes.forEach(node -> byId.put(new UUID(1, byId.size()), node));
    return new FakeMetadata(byId, keyspaces, tokens);
  }

  private Ring ring(@Nullable TokenMap tokens) {
    return new RingReader("here", DriverPartitioner.MURMUR3).ring(metadata(tokens));
  }

  private static NodeId nodeId(long number) {
    return new NodeId(new UUID(0, number));
  }

  /** The numbers of the nodes that own {@code token}. */
  private static List<Long> owners(Ring ring, String keyspace, long token) {
    return ring.replicas(keyspace, new Token.Murmur3(token)).stream()
        .map(owner -> owner.hostId().getLeastSignificantBits())
        .toList();
  }

  @Test
  void nodes_are_taken_over_with_where_they_are_and_whether_they_are_up() {
    node(1, "here", "r1", 0);
    set(node(2, "there", "r2", 10), "state", NodeState.DOWN);
    set(node(3, "here", "r1", 20), "state", NodeState.UNKNOWN);
    set(node(4, "here", "r1", 30), "state", NodeState.FORCED_DOWN);
    Ring ring = ring(tokens());
    assertThat(ring.nodes().values())
        .containsExactlyInAnyOrder(
            new Node(nodeId(1), new InetSocketAddress("10.0.0.1", 9042), "here", "r1", true),
            new Node(nodeId(2), new InetSocketAddress("10.0.0.2", 9042), "there", "r2", false),
            new Node(nodeId(3), new InetSocketAddress("10.0.0.3", 9042), "here", "r1", true),
            new Node(nodeId(4), new InetSocketAddress("10.0.0.4", 9042), "here", "r1", false));
    assertThat(ring.local()).extracting(Node::id).containsExactly(nodeId(1), nodeId(3), nodeId(4));
  }

  @Test
  void simple_strategy_goes_round_the_ring() {
    node(1, "here", "r1", -100);
    node(2, "here", "r1", 0);
    node(3, "here", "r1", 100);
    keyspace("ks", simple(2));
    Ring ring = ring(tokens());
    assertThat(owners(ring, "ks", Long.MIN_VALUE + 1)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", -100)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", -99)).containsExactly(2L, 3L);
    assertThat(owners(ring, "ks", 0)).containsExactly(2L, 3L);
    assertThat(owners(ring, "ks", 100)).containsExactly(3L, 1L);
    assertThat(owners(ring, "ks", 101)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", Long.MAX_VALUE)).containsExactly(1L, 2L);
  }

  @Test
  void of_several_data_centres_the_local_one_is_asked() {
    node(1, "here", "r1", -100);
    node(2, "there", "r1", -50);
    node(3, "here", "r2", 0);
    node(4, "there", "r1", 50);
    keyspace("both", topology(Map.of("here", "1", "there", "2")));
    keyspace("away", topology(Map.of("there", "1")));
    Ring ring = ring(tokens());
    assertThat(owners(ring, "both", -100)).containsExactly(1L);
    assertThat(owners(ring, "both", -60)).containsExactly(3L);
    assertThat(owners(ring, "away", -60)).as("where there is no other").containsExactly(2L);
    assertThat(owners(ring, "away", 0)).containsExactly(4L);
  }

  @Test
  void one_node_with_one_token_owns_all() {
    node(1, "here", "r1", 42);
    keyspace("ks", simple(1));
    Ring ring = ring(tokens());
    for (long token : new long[] {Long.MIN_VALUE + 1, 41, 42, 43, Long.MAX_VALUE}) {
      assertThat(owners(ring, "ks", token)).containsExactly(1L);
    }
    Ring.Replicas replicas = ring.owners("ks");
    assertThat(replicas).isNotNull();
    assertThat(replicas.segments()).containsExactly(TokenRange.ALL);
    assertThat(replicas.after(null)).containsExactly(nodeId(1));
  }

  /** Racks, virtual nodes and two data centres, as they come. */
  @Test
  void every_token_has_the_owners_that_the_driver_finds() {
    Random random = new Random(20_261_122);
    for (int round = 0; round < 40; round++) {
      nodes.clear();
      keyspaces.clear();
      List<Long> all = new ArrayList<>();
      int count = 1 + random.nextInt(7);
      for (int number = 1; number <= count; number++) {
        long[] tokens = random.longs(1 + random.nextInt(5)).toArray();
        for (long token : tokens) {
          all.add(token);
        }
        String datacenter = number > 1 && random.nextInt(3) == 0 ? "there" : "here";
        node(number, datacenter, "r" + random.nextInt(3), tokens);
      }
      keyspace("simple", simple(1 + random.nextInt(4)));
      keyspace("topology", topology(Map.of("here", "" + (1 + random.nextInt(3)), "there", "2")));
      TokenMap oracle = tokens();
      Ring ring = ring(oracle);
      all.addAll(List.of(Long.MIN_VALUE + 1, Long.MAX_VALUE));
      random.longs(50).forEach(all::add);
      for (long token : List.copyOf(all)) {
        for (String keyspace : List.of("simple", "topology")) {
          assertThat(owners(ring, keyspace, token))
              .as("%s, round %d, token %d", keyspace, round, token)
              .isEqualTo(expected(oracle, keyspace, token));
        }
      }
    }
  }

  private static List<Long> expected(TokenMap oracle, String keyspace, long token) {
    List<Long> all = new ArrayList<>();
    List<Long> here = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.metadata.Node owner :
        oracle.getReplicas(id(keyspace), new Murmur3Token(token))) {
      long number = Objects.requireNonNull(owner.getHostId()).getLeastSignificantBits();
      all.add(number);
      if ("here".equals(owner.getDatacenter())) {
        here.add(number);
      }
    }
    return here.isEmpty() ? all : here;
  }

  /** It is joining, or coordinates only: it can be asked, but owns nothing. */
  @Test
  void a_node_without_tokens_is_there_and_owns_nothing() {
    node(1, "here", "r1", 0);
    node(2, "here", "r1");
    keyspace("ks", simple(2));
    Ring ring = ring(tokens());
    assertThat(ring.local()).hasSize(2);
    assertThat(owners(ring, "ks", 7)).containsExactly(1L);
  }

  /** A contact point that has not said yet who it is. */
  @Test
  void a_node_without_an_id_is_left_out_of_nodes_and_owners() {
    nodes.add(driverNode(1, null, "here", "r1", -10));
    node(2, "here", "r1", 10);
    keyspace("ks", simple(2));
    Ring ring = ring(tokens());
    assertThat(ring.nodes()).containsOnlyKeys(nodeId(2));
    assertThat(owners(ring, "ks", -10)).containsExactly(2L);
  }

  /** The driver's token map is older than its nodes when it could not make a new one. */
  @Test
  void an_owner_that_has_left_is_none() {
    DefaultNode leaves = node(1, "here", "r1", -10);
    node(2, "here", "r1", 10);
    keyspace("ks", simple(2));
    TokenMap old = tokens();
    nodes.remove(leaves);
    assertThat(owners(ring(old), "ks", -10)).containsExactly(2L);
  }

  @Test
  void before_the_driver_knows_tokens_nobody_is_known_to_own_anything() {
    node(1, "here", "r1", 0);
    keyspace("ks", simple(1));
    Ring ring = ring(null);
    assertThat(ring.local()).hasSize(1);
    assertThat(ring.owners("ks")).isNull();
    assertThat(owners(ring, "ks", 0)).isEmpty();
  }

  @Test
  void a_ring_without_any_token_is_none() {
    node(1, "here", "r1");
    keyspace("ks", simple(1));
    assertThat(ring(tokens()).owners("ks")).isNull();
  }

  /** The driver makes no token map of a strategy it does not know, and keeps the one it has. */
  @Test
  void a_keyspace_that_the_driver_s_token_map_does_not_have_has_no_known_owners() {
    node(1, "here", "r1", 0);
    node(2, "here", "r1", 10);
    keyspace("ks", simple(1));
    TokenMap old = tokens();
    keyspace("own", Map.of("class", "com.example.OurOwnStrategy"));
    Ring ring = ring(old);
    assertThat(owners(ring, "own", 5)).isEmpty();
    assertThat(owners(ring, "ks", 5)).containsExactly(2L);
  }

  private static ColumnMetadata column(String name, DataType type) {
    return new DefaultColumnMetadata(id("Ks"), id("T"), id(name), type, false);
  }

  private static TableMetadata table(String name, boolean compact, List<ColumnMetadata> key) {
    ColumnMetadata clustering = column("c", DataTypes.TIMEUUID);
    ColumnMetadata value = column("Value", DataTypes.frozenListOf(DataTypes.INT));
    Map<CqlIdentifier, ColumnMetadata> columns = new LinkedHashMap<>();
    key.forEach(each -> columns.put(each.getName(), each));
    columns.put(clustering.getName(), clustering);
    columns.put(value.getName(), value);
    return new DefaultTableMetadata(
        id("Ks"),
        id(name),
        new UUID(0, 0),
        compact,
        false,
        key,
        Map.of(clustering, ClusteringOrder.DESC),
        columns,
        Map.of(),
        Map.of());
  }

  @Test
  void tables_are_read_with_names_as_stored_and_types_as_cassandra_spells_them() {
    List<ColumnMetadata> key =
        List.of(column("Second", DataTypes.TEXT), column("first", DataTypes.INT));
    keyspace("Ks", simple(1), table("T", false, key), table("old", true, key));
    Catalog catalog = RingReader.catalog(metadata(null), Set.of(new TableName("Ks", "old")));
    Table table = catalog.table("Ks", "T");
    assertThat(table)
        .isEqualTo(
            new Table(
                "Ks",
                "T",
                List.of(new Table.KeyColumn("Second", "text"), new Table.KeyColumn("first", "int")),
                List.of(new Table.KeyColumn("c", "timeuuid")),
                Map.of(
                    "Second",
                    "text",
                    "first",
                    "int",
                    "c",
                    "timeuuid",
                    "Value",
                    "frozen<list<int>>"),
                false,
                false));
    assertThat(catalog.table("Ks", "old"))
        .isNotNull()
        .returns(true, Table::compact)
        .returns(true, Table::masked);
    assertThat(catalog.table("ks", "T")).isNull();
    assertThat(catalog.table("Ks", "t")).isNull();
  }

  @Test
  void a_table_without_a_key_is_not_known() {
    keyspace("Ks", simple(1), table("T", false, List.of()));
    assertThat(RingReader.catalog(metadata(null), Set.of()).table("Ks", "T")).isNull();
  }

  /** The driver's map, which counts how often it is asked for owners. */
  private static final class Counted implements TokenMap {
    private final TokenMap map;
    private int asked;

    Counted(TokenMap map) {
      this.map = map;
    }

    @Override
    public com.datastax.oss.driver.api.core.metadata.token.Token parse(String token) {
      return map.parse(token);
    }

    @Override
    public String format(com.datastax.oss.driver.api.core.metadata.token.Token token) {
      return map.format(token);
    }

    @Override
    public com.datastax.oss.driver.api.core.metadata.token.Token newToken(
        ByteBuffer... partitionKey) {
      return map.newToken(partitionKey);
    }

    @Override
    public com.datastax.oss.driver.api.core.metadata.token.TokenRange newTokenRange(
        com.datastax.oss.driver.api.core.metadata.token.Token start,
        com.datastax.oss.driver.api.core.metadata.token.Token end) {
      return map.newTokenRange(start, end);
    }

    @Override
    public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges() {
      return map.getTokenRanges();
    }

    @Override
    public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges(
        com.datastax.oss.driver.api.core.metadata.Node node) {
      return map.getTokenRanges(node);
    }

    @Override
    public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges(
        CqlIdentifier keyspace, com.datastax.oss.driver.api.core.metadata.Node replica) {
      return map.getTokenRanges(keyspace, replica);
    }

    @Override
    public Set<com.datastax.oss.driver.api.core.metadata.Node> getReplicas(
        CqlIdentifier keyspace, ByteBuffer partitionKey) {
      return map.getReplicas(keyspace, partitionKey);
    }

    @Override
    public Set<com.datastax.oss.driver.api.core.metadata.Node> getReplicas(
        CqlIdentifier keyspace, com.datastax.oss.driver.api.core.metadata.token.Token token) {
      asked++;
      return map.getReplicas(keyspace, token);
    }

    @Override
    public String getPartitionerName() {
      return map.getPartitionerName();
    }
  }

  private void hundredRanges() {
    for (int number = 1; number <= 4; number++) {
      int of = number;
      node(number, "here", "r1", LongStream.range(0, 25).map(i -> i * 4 + of).toArray());
    }
  }

  @Test
  void keyspaces_with_the_same_replication_share_their_owners() {
    hundredRanges();
    for (int i = 0; i < 50; i++) {
      keyspace("two" + i, simple(2));
      keyspace("three" + i, simple(3));
    }
    Counted map = new Counted(tokens());
    Ring ring = ring(map);
    assertThat(map.asked).isEqualTo(200);
    assertThat(ring.owners("two0")).isSameAs(ring.owners("two49"));
    assertThat(ring.owners("three0")).isNotSameAs(ring.owners("two0"));
  }

  @Test
  void a_node_that_goes_down_or_a_new_keyspace_costs_no_look_at_the_ring() {
    hundredRanges();
    keyspace("ks", simple(2));
    DefaultTokenMap driver = (DefaultTokenMap) tokens();
    RingReader reader = new RingReader("here", DriverPartitioner.MURMUR3);
    Ring before = reader.ring(metadata(driver));
    set(nodes.get(0), "state", NodeState.DOWN);
    Counted unchanged = new Counted(driver);
    Ring down = reader.ring(metadata(unchanged));
    assertThat(down.local().get(0).up()).isFalse();
    assertThat(down.owners("ks")).isSameAs(before.owners("ks"));
    keyspace("same", simple(2));
    keyspace("other", simple(1));
    Counted more =
        new Counted(
            driver.refresh(
                List.copyOf(nodes),
                keyspaces.values(),
                new DefaultReplicationStrategyFactory(CONTEXT)));
    Ring after = reader.ring(metadata(more));
    assertThat(unchanged.asked).isZero();
    assertThat(more.asked).as("only for the replication that is new").isEqualTo(100);
    assertThat(after.owners("same")).isSameAs(before.owners("ks"));
  }

  @Test
  void tokens_that_move_or_nodes_that_change_their_data_centre_make_a_new_ring() {
    hundredRanges();
    keyspace("ks", simple(1));
    RingReader reader = new RingReader("here", DriverPartitioner.MURMUR3);
    TokenMap map = tokens();
    reader.ring(metadata(map));
    set(nodes.get(0), "datacenter", "there");
    Counted again = new Counted(map);
    reader.ring(metadata(again));
    assertThat(again.asked).isEqualTo(100);
    set(nodes.get(1), "rawTokens", Set.of("7000"));
    Ring moved = reader.ring(metadata(tokens()));
    assertThat(owners(moved, "ks", 7_000)).containsExactly(2L);
  }
}
