package io.sluice.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ring.Ring.Replicas;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the ring as it is seen from each data centre. */
class RingTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final NodeId C = new NodeId(new UUID(0, 3));
  private static final Token ZERO = new Token.Murmur3(0);

  private static Map<NodeId, Node> nodes(Map<NodeId, String> datacenters) {
    Map<NodeId, Node> nodes = new HashMap<>();
    datacenters.forEach(
        (id, datacenter) ->
            nodes.put(
                id, new Node(id, new InetSocketAddress("10.0.0.1", 9042), datacenter, "r", true)));
    return nodes;
  }

  private static Replicas all(NodeId... owners) {
    return new Replicas(List.of(ZERO), List.of(List.of(owners)));
  }

  private static Ring ring() {
    return Ring.of(
        TestPartitioner.ANY,
        "east",
        nodes(Map.of(B, "east", A, "east", C, "west")),
        Map.of("east", Map.of("ks", all(A, B)), "west", Map.of("ks", all(C), "far", all(C))));
  }

  private static List<NodeId> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).toList();
  }

  @Test
  void the_local_nodes_are_those_of_the_data_centre_in_the_order_of_their_ids() {
    assertThat(ids(ring().local())).containsExactly(A, B);
    assertThat(ring().localDatacenter()).isEqualTo("east");
    assertThat(ring().nodes()).hasSize(3);
    assertThat(ring().node(C)).isNotNull();
    assertThat(ring().node(new NodeId(new UUID(9, 9)))).isNull();
  }

  @Test
  void the_owners_of_a_token_are_local_nodes() {
    assertThat(ring().replicas("ks", ZERO)).containsExactly(A, B);
    assertThat(ring().owners("ks")).isNotNull();
  }

  @Test
  void a_keyspace_without_local_copies_or_without_a_name_has_no_owners() {
    assertThat(ring().replicas("far", ZERO)).isEmpty();
    assertThat(ring().owners("far")).isNull();
    assertThat(ring().replicas(null, ZERO)).isEmpty();
    assertThat(ring().owners(null)).isNull();
  }

  @Test
  void another_data_centre_has_a_ring_of_its_own() {
    Ring west = ring().in("west");
    assertThat(west.localDatacenter()).isEqualTo("west");
    assertThat(ids(west.local())).containsExactly(C);
    assertThat(west.replicas("far", ZERO)).containsExactly(C);
    assertThat(west.nodes()).hasSize(3);
    Ring east = ring();
    assertThat(east.in("east")).isSameAs(east);
  }

  @Test
  void a_data_centre_that_does_not_exist_has_a_ring_without_nodes_and_owners() {
    Ring moon = ring().in("moon");
    assertThat(moon.local()).isEmpty();
    assertThat(moon.replicas("ks", ZERO)).isEmpty();
    assertThat(moon.localDatacenter()).isEqualTo("moon");
  }

  @Test
  void the_data_centres_are_those_with_nodes() {
    assertThat(ring().datacenters()).containsExactly("east", "west");
    Ring away = Ring.of(TestPartitioner.ANY, "east", nodes(Map.of(C, "west")), Map.of());
    assertThat(away.datacenters()).containsExactly("west");
    assertThat(away.local()).isEmpty();
  }

  @Test
  void reads_are_scheduled_at_local_nodes_and_at_those_of_named_data_centres() {
    Ring ring = ring();
    assertThat(ids(ring.scheduled())).containsExactly(A, B);
    Ring both = ring.scheduling(Set.of("west"));
    assertThat(ids(both.scheduled())).containsExactly(A, B, C);
    assertThat(ids(both.local())).containsExactly(A, B);
    assertThat(both.replicas("ks", ZERO)).containsExactly(A, B);
    assertThat(both.in("west").replicas("ks", ZERO)).containsExactly(C);
    assertThat(both.datacenters()).containsExactly("east", "west");
  }

  @Test
  void a_ring_that_schedules_no_further_node_stays_the_same() {
    Ring ring = ring();
    assertThat(ring.scheduling(List.of())).isSameAs(ring);
    assertThat(ring.scheduling(List.of("east", "moon"))).isSameAs(ring);
  }

  @Test
  void each_end_of_a_range_has_its_owners() {
    assertThatThrownBy(() -> new Replicas(List.of(ZERO), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 ends for 0 owners");
  }

  @Test
  void names_are_written_as_people_write_them() {
    assertThat(A).hasToString("00000000-0000-0000-0000-000000000001");
    assertThat(new TableName("ks", "t")).hasToString("ks.t");
    assertThat(Catalog.EMPTY.table("ks", "t")).isNull();
  }

  @Test
  void a_table_that_is_known_by_its_key_only_has_the_types_of_the_key() {
    Table table = new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")));
    assertThat(table)
        .returns(Map.of("k", "int"), Table::types)
        .returns(List.of(), Table::clustering)
        .returns(false, Table::compact)
        .returns(false, Table::masked)
        .returns(Set.of(), Table::functions);
  }
}
