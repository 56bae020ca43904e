package io.sluice.execute.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.execute.members.Members.ProxyMembers;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the tables of members. The proxy 10.0.0.1:9042 answers; 10.0.0.2:9042 and 10.0.0.2:9043 are
 * its peers.
 */
class MembersTest {

  private static final String MURMUR3 = "org.apache.cassandra.dht.Murmur3Partitioner";
  private static final UUID NODE_ID = new UUID(1, 2);
  private static final UUID SERVING = new UUID(5, 6);
  private static final UUID SCHEMA = new UUID(3, 4);
  private static final UUID OLDER_SCHEMA = new UUID(7, 8);

  private final InetSocketAddress self = proxy(1, 9042);
  private final ProxyMembers members =
      new ProxyMembers(
          "the cluster", MURMUR3, self, List.of(proxy(2, 9042), proxy(2, 9043)), SERVING::equals);

  private static InetSocketAddress proxy(int host, int port) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).putInt(0, value);
  }

  private static ByteBuffer uuid(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(0, id.getMostSignificantBits())
        .putLong(8, id.getLeastSignificantBits());
  }

  private static final RowSet LOCAL =
      new RowSet(
          TestColumns.of(
              "local",
              "key text, cluster_name text, data_center text, rack text, release_version text,"
                  + " host_id uuid, schema_version uuid, rpc_address inet, rpc_port int,"
                  + " tokens set<text>"),
          List.of(
              Arrays.asList(
                  text("local"),
                  text("the cluster"),
                  text("dc1"),
                  null,
                  text("5.0.9"),
                  uuid(NODE_ID),
                  uuid(SCHEMA),
                  ByteBuffer.wrap(new byte[] {127, 0, 0, 1}),
                  number(19042),
                  ByteBuffer.wrap(new byte[] {0, 0, 0, 0}))));

  private static final RowSet PEERS =
      new RowSet(
          TestColumns.of(
              "peers_v2",
              "peer inet, peer_port int, data_center text, host_id uuid, native_address inet,"
                  + " native_port int, preferred_ip inet, schema_version uuid, tokens set<text>"),
          List.of());

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, Catalog.EMPTY, TestPartitioner.ANY);
  }

  private RowSet answer(String cql, ByteBuffer... bound) throws NotAnswerable {
    Classified statement = classified(cql);
    RowSet table = "local".equals(statement.table()) ? LOCAL : PEERS;
    return Members.answer(statement, new Values(List.of(bound)), members, LOCAL, table);
  }

  private record Values(List<ByteBuffer> bound) implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      return index < bound.size() ? bound.get(index) : null;
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }

  /** Returns rows as JSON, which the proxy itself writes. */
  private List<String> json(String columnsAndRest) throws NotAnswerable {
    List<String> rows = new ArrayList<>();
    for (List<@Nullable ByteBuffer> row : answer("SELECT JSON " + columnsAndRest).rows()) {
      rows.add(StandardCharsets.UTF_8.decode(row.get(0).duplicate()).toString());
    }
    return rows;
  }

  @Test
  void system_local_shows_the_proxy_in_the_real_cluster() throws NotAnswerable {
    assertThat(json("cluster_name, rack, release_version, rpc_address, rpc_port FROM system.local"))
        .containsExactly(
            "{\"cluster_name\": \"the cluster\", \"rack\": null, \"release_version\": \"5.0.9\","
                + " \"rpc_address\": \"10.0.0.1\", \"rpc_port\": 9042}");
  }

  @Test
  void peers_are_the_other_proxies_in_the_data_centre_of_the_node() throws NotAnswerable {
    assertThat(json("peer, native_port, data_center, preferred_ip FROM system.peers_v2"))
        .containsExactly(
            "{\"peer\": \"10.0.0.2\", \"native_port\": 9042, \"data_center\": \"dc1\","
                + " \"preferred_ip\": null}",
            "{\"peer\": \"10.0.0.2\", \"native_port\": 9043, \"data_center\": \"dc1\","
                + " \"preferred_ip\": null}");
  }

  /**
   * Returns the schema versions of the peers, if the node reports this version for another node.
   */
  private Set<ByteBuffer> schemasBeside(@Nullable UUID node, @Nullable UUID version)
      throws NotAnswerable {
    List<@Nullable ByteBuffer> row = new ArrayList<>();
    PEERS.columns().forEach(column -> row.add(null));
    row.set(PEERS.indexOf("host_id"), node == null ? null : uuid(node));
    row.set(PEERS.indexOf("schema_version"), version == null ? null : uuid(version));
    Set<ByteBuffer> seen = new HashSet<>();
    String cql = "SELECT schema_version FROM system.peers_v2";
    RowSet nodes = new RowSet(PEERS.columns(), List.of(row));
    Members.answer(classified(cql), new Values(List.of()), members, LOCAL, nodes)
        .rows()
        .forEach(answered -> seen.add(answered.get(0)));
    return seen;
  }

  @Test
  void peers_have_the_schema_version_of_the_node() throws NotAnswerable {
    assertThat(schemasBeside(SERVING, SCHEMA)).containsExactly(uuid(SCHEMA));
  }

  @Test
  void peers_have_the_schema_version_of_a_node_that_differs() throws NotAnswerable {
    assertThat(schemasBeside(SERVING, OLDER_SCHEMA)).containsExactly(uuid(OLDER_SCHEMA));
  }

  @Test
  void the_schema_version_of_a_node_without_requests_is_ignored() throws NotAnswerable {
    assertThat(schemasBeside(new UUID(9, 9), OLDER_SCHEMA)).containsExactly(uuid(SCHEMA));
  }

  @Test
  void a_node_without_an_id_or_a_schema_version_is_ignored() throws NotAnswerable {
    assertThat(schemasBeside(SERVING, null)).containsExactly(uuid(SCHEMA));
    assertThat(schemasBeside(null, OLDER_SCHEMA)).containsExactly(uuid(SCHEMA));
  }

  @Test
  void no_cell_shows_the_address_or_the_id_of_the_node() throws NotAnswerable {
    List<@Nullable ByteBuffer> row = answer("SELECT * FROM system.local").rows().get(0);
    assertThat(row).hasSize(LOCAL.columns().size());
    assertThat(row).doesNotContain(uuid(NODE_ID), number(19042));
    assertThat(row).doesNotContain(ByteBuffer.wrap(new byte[] {127, 0, 0, 1}));
  }

  @Test
  void all_proxies_return_the_same_ids_and_tokens() {
    ProxyMembers asSeenByTwo =
        new ProxyMembers(
            "the cluster", MURMUR3, proxy(2, 9042), List.of(proxy(2, 9043), self), id -> true);
    Set<Object> ids = new HashSet<>();
    Set<String> tokens = new HashSet<>();
    for (InetSocketAddress each : List.of(self, proxy(2, 9042), proxy(2, 9043))) {
      assertThat(asSeenByTwo.hostId(each)).isEqualTo(members.hostId(each));
      assertThat(asSeenByTwo.tokens(each)).isEqualTo(members.tokens(each));
      ids.add(members.hostId(each));
      tokens.addAll(members.tokens(each));
    }
    assertThat(ids).hasSize(3);
    assertThat(tokens).hasSize(24);
  }

  /** All proxies have the same configured list. */
  @Test
  void a_proxy_is_not_its_own_peer() {
    ProxyMembers all =
        new ProxyMembers("c", MURMUR3, self, List.of(self, proxy(2, 9042)), id -> true);
    assertThat(all.peers()).containsExactly(proxy(2, 9042));
    assertThat(all.tokens(self)).doesNotContainAnyElementsOf(all.tokens(proxy(2, 9042)));
  }

  @ParameterizedTest
  @CsvSource({
    "Murmur3Partitioner, -9223372036854775808, 18446744073709551616",
    "RandomPartitioner, 0, 170141183460469231731687303715884105728"
  })
  void tokens_cut_the_ring_evenly(String partitioner, BigInteger first, BigInteger size) {
    List<BigInteger> all = new ArrayList<>();
    for (int proxy = 0; proxy < 3; proxy++) {
      EvenTokens.of("org.apache.cassandra.dht." + partitioner, proxy, 3)
          .forEach(token -> all.add(new BigInteger(token)));
    }
    all.sort(null);
    BigInteger step = size.divide(BigInteger.valueOf(24));
    for (int i = 0; i < 24; i++) {
      BigInteger middle =
          first.add(size.multiply(BigInteger.valueOf(2L * i + 1)).divide(BigInteger.valueOf(48)));
      assertThat(all.get(i).subtract(middle).abs()).isLessThan(step.shiftRight(20));
    }
  }

  @Test
  void tokens_of_bytes_are_hexadecimal() {
    assertThat(EvenTokens.of("org.apache.cassandra.dht.ByteOrderedPartitioner", 0, 1))
        .hasSize(8)
        .startsWith("1000000000000000", "3000000000000000")
        .endsWith("f000000000000000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peer FROM system.peers_v2 WHERE peer = '10.0.0.2' | 2",
        "peer FROM system.peers_v2 WHERE peer = '10.0.0.9' | 0",
        "peer FROM system.peers_v2 WHERE peer = '10.0.0.2' AND peer_port = 9043 | 1",
        "peer FROM system.peers_v2 WHERE peer_port IN (9042, 9043, 7) | 2",
        "peer FROM system.peers_v2 LIMIT 1 | 1",
        "key FROM system.local WHERE key = 'local' | 1",
        "key FROM system.local WHERE key = 'other' | 0",
        "key FROM system.local WHERE host_id = 00000000-0000-0001-0000-000000000002 | 0",
      })
  void where_and_limit_are_applied(String question, int rows) throws NotAnswerable {
    assertThat(answer("SELECT " + question).rows()).hasSize(rows);
  }

  @Test
  void markers_are_bound() throws NotAnswerable {
    String cql = "SELECT peer FROM system.peers_v2 WHERE peer_port = ?";
    assertThat(answer(cql, number(9043)).rows()).hasSize(1);
    assertThat(answer(cql, number(1)).rows()).isEmpty();
    assertThat(answer(cql).rows()).as("nothing bound").isEmpty();
  }

  @Test
  void count_and_aliases_are_supported() throws NotAnswerable {
    RowSet all = answer("SELECT count(*) FROM system.peers_v2 LIMIT 1");
    assertThat(all.columns().get(0).name()).isEqualTo("count");
    assertThat(all.rows().get(0).get(0)).isEqualTo(ByteBuffer.allocate(8).putLong(0, 2));
    RowSet some = answer("SELECT count(preferred_ip) AS \"N\" FROM system.peers_v2");
    assertThat(some.columns().get(0).name()).isEqualTo("N");
    assertThat(some.rows().get(0).get(0)).isEqualTo(ByteBuffer.allocate(8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT nothing FROM system.local",
        "SELECT key FROM system.local WHERE nothing = 1",
        "SELECT key FROM system.local WHERE rpc_port = 99999999999",
        "SELECT key FROM system.local WHERE rpc_port = 'x'",
        "SELECT key FROM system.local WHERE rpc_address = 'no address'",
        "SELECT writetime(rpc_port) FROM system.local",
        "SELECT count(*), key FROM system.local",
        "SELECT count() FROM system.peers",
        "SELECT count(peer, peer_port) FROM system.peers_v2",
        "SELECT peer FROM system.peers_v2 LIMIT 0",
        "SELECT key FROM system.local GROUP BY key",
        "SELECT peer FROM system.peers_v2 ORDER BY nothing",
      })
  void an_unsupported_select_is_refused_with_a_message(String cql) {
    assertThatThrownBy(() -> answer(cql))
        .isInstanceOf(NotAnswerable.class)
        .hasMessageMatching(".+");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM system.local | true",
        "SELECT host_id FROM system.local | true",
        "SELECT key FROM system.local WHERE rpc_address = '1.2.3.4' | true",
        "SELECT toJson(tokens) FROM system.local | true",
        "SELECT anything FROM system.peers | true",
        "SELECT cluster_name FROM system.local | false",
        "SELECT count(*) FROM system.local | false",
        "SELECT schema_version FROM system.local WHERE key = 'local' | false",
      })
  void a_select_concerns_members_only_if_it_returns_data_of_nodes(String cql, boolean own) {
    assertThat(Members.concerns(classified(cql))).isEqualTo(own);
  }
}
