package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.ring.Catalog;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests plans on three nodes. The key {@code int} is its own token; node 1 owns ]..,0] and node 2
 * owns ]0,100].
 */
class PlannerTest {

  private static final NodeId ONE = id(1);
  private static final NodeId TWO = id(2);
  private static final NodeId THREE = id(3);
  private static final Catalog CATALOG =
      (keyspace, table) ->
          keyspace.equals("ks") && table.equals("t")
              ? new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")))
              : null;

  private final Planner planner = new Planner();
  private final Ring ring = ring(3);

  private static NodeId id(int number) {
    return new NodeId(UUID.nameUUIDFromBytes(new byte[] {(byte) number}));
  }

  private static Ring ring(int count) {
    Map<NodeId, Node> nodes = new HashMap<>();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    for (int i = 1; i <= count; i++) {
      nodes.put(id(i), new Node(id(i), address, "dc", "r", true));
    }
    Ring.Replicas replicas =
        new Ring.Replicas(
            List.of(new Token.Murmur3(0), new Token.Murmur3(100)),
            List.of(List.of(ONE), List.of(TWO)));
    return new Ring(TestPartitioner.INT_KEYS, "dc", nodes, Map.of("ks", replicas));
  }

  private Plan plan(String cql, int pageSize, long client, Ring on) {
    return planner.plan(
        new PlanRequest(
            new Classifier().classify(cql, null, CATALOG, on.partitioner()),
            BoundValues.NONE,
            pageSize,
            client),
        on);
  }

  private Plan plan(String cql) {
    return plan(cql, -1, 1, ring);
  }

  private Plan.Queue queue(String cql, int pageSize) {
    return (Plan.Queue) plan(cql, pageSize, 1, ring);
  }

  @Test
  void a_point_read_is_queued_at_the_replicas_of_its_key() {
    Plan.Queue plan = queue("SELECT * FROM ks.t WHERE k = 7", -1);
    assertThat(plan.replicas()).containsExactly(TWO);
    assertThat(plan.priorityClass()).isEqualTo(PriorityClass.POINT);
    assertThat(plan.rows()).isEqualTo(1);
    assertThat(plan.limit()).isEqualTo(Integer.MAX_VALUE);
    Plan.Queue limited = queue("SELECT * FROM ks.t WHERE k = -7 LIMIT 3", -1);
    assertThat(limited.replicas()).containsExactly(ONE);
    assertThat(limited.limit()).isEqualTo(3);
  }

  @Test
  void the_fingerprint_of_a_point_read_tells_statements_and_partitions_apart() {
    long fingerprint = queue("SELECT * FROM ks.t WHERE k = 7", 100).fingerprint();

    assertThat(fingerprint).isNotZero();
    assertThat(queue("select * from ks.t where k = 7", 50).fingerprint()).isEqualTo(fingerprint);
    assertThat(queue("SELECT * FROM ks.t WHERE k = 8", 100).fingerprint())
        .as("another partition")
        .isNotEqualTo(fingerprint);
    assertThat(queue("SELECT v FROM ks.t WHERE k = 7", 100).fingerprint())
        .as("another statement")
        .isNotEqualTo(fingerprint);
  }

  @Test
  void later_pages_and_reads_of_several_partitions_or_of_a_range_have_no_fingerprint() {
    assertThat(nextPage("SELECT * FROM ks.t WHERE k = 7", 5000).fingerprint()).isZero();
    assertThat(queue("SELECT * FROM ks.t WHERE k IN (1, 2)", -1).fingerprint()).isZero();
    assertThat(queue("SELECT * FROM ks.t", 100).fingerprint()).isZero();
  }

  /** It may read any number of rows, and would pass all queues and rules otherwise. */
  @Test
  void a_select_that_is_not_understood_is_queued_as_a_range_read() {
    for (String cql :
        List.of("SELECT v" + ", v".repeat(1 << 16) + " FROM ks.t WHERE k = 7", "SELECT ? ? ?")) {
      Plan.Queue plan = queue(cql, -1);
      assertThat(plan.priorityClass()).isEqualTo(PriorityClass.RANGE);
      assertThat(plan.rows()).isEqualTo(Planner.UNBOUNDED_ROWS);
      assertThat(plan.replicas()).containsExactlyInAnyOrder(ONE, TWO, THREE);
    }
  }

  @Test
  void semicolons_do_not_hide_a_statement() {
    String end = ";".repeat(1 << 17);
    assertThat(queue("SELECT * FROM ks.t WHERE k = 7" + end, -1).replicas()).containsExactly(TWO);
    assertThat(new Classifier().classify("TRUNCATE ks.t" + end, null, CATALOG, ring.partitioner()))
        .extracting(Classified::shape, Classified::table)
        .containsExactly(StatementShape.TRUNCATE, "t");
  }

  @Test
  void a_read_of_several_keys_costs_a_row_for_each_and_may_go_to_any_node() {
    Plan.Queue plan = queue("SELECT * FROM ks.t WHERE k IN (1, 2, 3)", -1);
    assertThat(plan.priorityClass()).isEqualTo(PriorityClass.POINT);
    assertThat(plan.rows()).isEqualTo(3);
    assertThat(plan.replicas()).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }

  /** Each page of a wide partition except the last has as many rows as the page size. */
  @Test
  void a_continued_page_of_a_partition_costs_the_rows_of_a_page() {
    assertThat(nextPage("SELECT * FROM ks.t WHERE k = 7", 5000).rows()).isEqualTo(5000);
    assertThat(nextPage("SELECT * FROM ks.t WHERE k = 7 LIMIT 70", 5000).rows()).isEqualTo(70);
    assertThat(nextPage("SELECT * FROM ks.t WHERE k IN (1, 2, 3)", 2).rows()).isEqualTo(3);
    assertThat(nextPage("SELECT * FROM ks.t WHERE k = 7", -1).rows()).isEqualTo(1);
    assertThat(queue("SELECT * FROM ks.t WHERE k = 7", 5000).rows()).as("first page").isEqualTo(1);
  }

  private Plan.Queue nextPage(String cql, int pageSize) {
    var statement = new Classifier().classify(cql, null, CATALOG, ring.partitioner());
    return (Plan.Queue)
        planner.plan(new PlanRequest(statement, BoundValues.NONE, pageSize, true, 1), ring);
  }

  @Test
  void a_range_read_is_queued_at_the_replicas_of_its_first_token() {
    Plan.Queue plan = queue("SELECT * FROM ks.t WHERE token(k) >= 50", -1);
    assertThat(plan.replicas()).containsExactly(TWO);
    assertThat(plan.priorityClass()).isEqualTo(PriorityClass.RANGE);
  }

  @Test
  void reads_of_the_whole_ring_are_spread_over_all_nodes() {
    Map<NodeId, Integer> first = new HashMap<>();
    for (long client = 0; client < 300; client++) {
      for (String cql : List.of("SELECT * FROM ks.t", "SELECT * FROM ks.t WHERE token(k) < 50")) {
        Plan.Queue plan = (Plan.Queue) plan(cql, -1, client, ring);
        assertThat(plan.replicas()).containsExactlyInAnyOrder(ONE, TWO, THREE);
        first.merge(plan.replicas().get(0), 1, Integer::sum);
      }
    }
    assertThat(first.values()).hasSize(3).allSatisfy(n -> assertThat(n).isBetween(150, 250));
    Plan.Queue many = (Plan.Queue) plan("SELECT * FROM ks.t", -1, 1, ring(50));
    assertThat(many.replicas()).hasSize(Planner.MAX_COORDINATORS).doesNotHaveDuplicates();
  }

  @Test
  void a_read_of_a_small_table_costs_less_than_its_page() {
    Plan.Queue plan = queue("SELECT * FROM ks.t", 5000);
    assertThat(plan.atMost(100).rows()).isEqualTo(100);
    assertThat(plan.atMost(100).replicas()).isEqualTo(plan.replicas());
    assertThat(plan.atMost(1e9)).isEqualTo(plan);
    EvenDensity hundred = new EvenDensity(50, new Token.Murmur3(Long.MIN_VALUE));
    assertThat(hundred.expected(TokenRange.ALL, 5000)).isEqualTo(100);
    assertThat(hundred.expected(TokenRange.ALL, 7)).isEqualTo(7);
    assertThat(Density.UNKNOWN.expected(TokenRange.ALL, 5000)).isEqualTo(5000);
  }

  @Test
  void a_range_read_costs_the_rows_of_its_limit_or_page() {
    assertThat(queue("SELECT * FROM ks.t", -1).rows()).isEqualTo(Planner.UNBOUNDED_ROWS);
    assertThat(queue("SELECT * FROM ks.t", 500).rows()).isEqualTo(500);
    assertThat(queue("SELECT * FROM ks.t LIMIT 7", -1).rows()).isEqualTo(7);
    assertThat(queue("SELECT * FROM ks.t LIMIT 7", 500).rows()).isEqualTo(7);
    assertThat(queue("SELECT * FROM ks.t LIMIT 700", 500).rows()).isEqualTo(500);
    assertThat(queue("SELECT * FROM ks.t LIMIT 700", 500).limit()).isEqualTo(700);
    assertThat(queue("SELECT * FROM ks.t", 500).limit()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void a_write_goes_to_the_replicas_of_its_key_at_once() {
    assertThat(plan("INSERT INTO ks.t (k) VALUES (7)")).isEqualTo(new Plan.Forward(List.of(TWO)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE ks.u (k int PRIMARY KEY)",
        "USE ks",
        "SELECT * FROM system_schema.tables",
        "LIST ROLES",
        "what is this?",
        "INSERT INTO ks.unknown (k) VALUES (7)"
      })
  void a_request_without_a_known_replica_is_forwarded_to_any_node(String cql) {
    assertThat(((Plan.Forward) plan(cql)).nodes()).containsExactlyInAnyOrder(ONE, TWO, THREE);
  }

  @Test
  void a_read_of_the_members_may_go_to_any_node() {
    assertThat(((Plan.Members) plan("SELECT * FROM system.local")).nodes()).hasSize(3);
  }

  @Test
  void without_nodes_a_request_is_refused_with_the_name_of_the_data_centre() {
    Plan.Refuse refused = (Plan.Refuse) plan("USE ks", -1, 1, ring(0));
    assertThat(refused.refusal().message()).contains("dc");
  }

  @Test
  void a_client_keeps_its_home_and_clients_spread_over_all_nodes() {
    Set<NodeId> first = new HashSet<>();
    for (long client = 0; client < 50; client++) {
      List<NodeId> home = Planner.homeFirst(client, ring);
      assertThat(Planner.homeFirst(client, ring)).isEqualTo(home);
      first.add(home.get(0));
    }
    assertThat(first).hasSize(3);
  }

  @Test
  void a_node_that_leaves_moves_only_its_own_clients() {
    for (long client = 0; client < 50; client++) {
      List<NodeId> before = Planner.homeFirst(client, ring);
      List<NodeId> after = Planner.homeFirst(client, ring(2));
      if (before.get(0).equals(THREE)) {
        assertThat(after).containsExactlyInAnyOrder(ONE, TWO);
      } else {
        assertThat(after).isEqualTo(before.stream().filter(node -> !node.equals(THREE)).toList());
      }
    }
  }

  @Test
  void the_order_of_homes_contains_every_node_once() {
    for (int nodes = 1; nodes < 40; nodes++) {
      Ring of = ring(nodes);
      assertThat(Planner.homeFirst(nodes, of))
          .containsExactlyInAnyOrderElementsOf(of.local().stream().map(Node::id).toList());
    }
  }

  @Test
  void clients_with_consecutive_ids_are_spread_evenly() {
    Map<NodeId, Integer> clients = new HashMap<>();
    for (long client = 0; client < 3000; client++) {
      clients.merge(Planner.homeFirst(client, ring).get(0), 1, Integer::sum);
    }
    assertThat(clients.values()).hasSize(3).allSatisfy(n -> assertThat(n).isBetween(850, 1150));
  }
}
