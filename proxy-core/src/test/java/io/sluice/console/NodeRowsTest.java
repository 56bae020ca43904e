package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.console.NodeTables.NodeFact;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.shadow.ShadowState;
import io.sluice.decide.shadow.ShadowState.Times;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ReadMeters.ReadTimes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.watch.ClusterView;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rows of the tables about nodes: nodes, queues, tenants, shadow. */
class NodeRowsTest {

  private static final NodeId ID = new NodeId(new UUID(0, 1));
  private static final NodeId GONE = new NodeId(new UUID(0, 2));
  private static final Node NODE =
      new Node(ID, InetSocketAddress.createUnresolved("10.0.0.1", 9042), "east", "r1", true);
  private static final ClassState POINT =
      new ClassState(1, 2, 4, 3, 5, 6, 7, 8, 20_000_000, 0, 0, 0, 9_000_000, 11_000_000);
  private static final ClassState RANGE =
      new ClassState(10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  private static final NodeState STATE =
      new NodeState(ID, NodeStanding.NORMAL, 32, 4, 1_500, 2.5, 0, POINT, RANGE);

  private static ClusterView view() {
    return new ClusterView(
        new Ring(TestPartitioner.ANY, "east", Map.of(ID, NODE), Map.of()),
        (keyspace, table) -> null,
        Map.of(),
        Map.of());
  }

  private static String json(NodeFact fact) {
    return NodeTables.NODES.table(List.of(fact)).json();
  }

  @Test
  void a_node_with_a_scheduler_shows_its_load() {
    assertThat(
            json(
                new NodeFact(
                    NODE,
                    true,
                    false,
                    "orders",
                    "10.0.0.9:9042",
                    STATE,
                    new ReadTimes(1.5, 2.5),
                    new ReadTimes(10.5, 20.5))))
        .isEqualTo(
            ConsoleTexts.json(
                "node: '10.0.0.1:9042'",
                "agent: 'orders'",
                "avoided: false",
                "backlog_ms: 1.5",
                "data_center: 'east'",
                "home: '10.0.0.9:9042'",
                "host_id: '00000000-0000-0000-0000-000000000001'",
                "point_in_flight: 2",
                "point_p50_ms: 1.5",
                "point_p99_ms: 2.5",
                "point_queued: 1",
                "rack: 'r1'",
                "range_in_flight: 20",
                "range_p50_ms: 10.5",
                "range_p99_ms: 20.5",
                "range_queued: 10",
                "range_slots: 4",
                "rate: 2.5",
                "slots: 32",
                "state: 'normal'"));
  }

  @Test
  void a_node_without_reads_shows_none() {
    assertThat(json(new NodeFact(NODE, true, false, "absent", null, null, null, null)))
        .contains("\"backlog_ms\":null")
        .contains("\"home\":null")
        .contains("\"point_p50_ms\":null,\"point_p99_ms\":null,\"point_queued\":null")
        .contains("\"range_p50_ms\":null,\"range_p99_ms\":null,\"range_queued\":null")
        .contains("\"rate\":null,\"slots\":null,\"state\":\"normal\"");
  }

  @ParameterizedTest
  @CsvSource({
    "true,  true,  false, normal",
    "true,  true,  true,  avoid",
    "false, true,  false, suspect",
    "false, true,  true,  suspect",
    "false, false, true,  down",
  })
  void the_state_of_a_node_is_what_requests_make_of_it(
      boolean healthy, boolean up, boolean avoided, String state) {
    Node node = new Node(ID, NODE.address(), "east", "r1", up);
    assertThat(new NodeFact(node, healthy, avoided, "", null, null, null, null).state())
        .isEqualTo(state);
  }

  private static @Nullable String queue(PriorityClass of, ClassState state) {
    return NodeTables.QUEUES.table(List.of(new NodeTables.QueueFact("a:1", of, state))).json();
  }

  @Test
  void a_queue_shows_its_counts_and_its_waits_in_milliseconds() {
    assertThat(queue(PriorityClass.POINT, POINT))
        .isEqualTo(
            ConsoleTexts.json(
                "node: 'a:1'",
                "class: 'point'",
                "cancelled: 7",
                "expected_wait_ms: 9.0",
                "in_flight: 2",
                "mean_wait_ms: 5.0",
                "moved: 8",
                "node_overloaded: 3",
                "oldest_ms: 11.0",
                "queued: 1",
                "refused_backlog: 5",
                "refused_deadline: 6",
                "served: 4"));
  }

  @Test
  void a_queue_that_has_served_nothing_has_no_mean_wait() {
    assertThat(queue(PriorityClass.RANGE, RANGE))
        .contains("\"class\":\"range\"")
        .contains("\"mean_wait_ms\":0.0");
  }

  @Test
  void the_reads_of_a_node_are_timed_by_its_meters() {
    ProxyMeters meters = new ProxyMeters(new SimpleMeterRegistry());
    meters.changed(view().ring());
    assertThat(meters.reads().times(ID, PriorityClass.POINT)).as("no reads yet").isNull();
    assertThat(meters.reads().times(GONE, PriorityClass.POINT)).isNull();
  }

  private static ShadowState shadow(@Nullable NodeId node, Times now, Times would) {
    return new ShadowState(
        node, PriorityClass.RANGE, 4, 5, now, would, new Times(3, 1_000_000, 2_500_000), 6);
  }

  @Test
  void a_shadow_shows_the_reads_as_they_are_and_as_they_would_be() {
    ShadowState state =
        shadow(ID, new Times(9, 3_000_000, 4_000_000), new Times(8, 5_000_000, 6_000_000));
    assertThat(ShadowTable.SHADOW.table(ShadowTable.rows(view(), List.of(state))).json())
        .isEqualTo(
            ConsoleTexts.json(
                "node: '10.0.0.1:9042'",
                "class: 'range'",
                "estimated_p50_ms: 5.0",
                "estimated_p99_ms: 6.0",
                "estimated_queued: 5",
                "estimated_refused: 6",
                "estimated_slots: 4",
                "estimated_wait_p50_ms: 1.0",
                "estimated_wait_p99_ms: 2.5",
                "now_p50_ms: 3.0",
                "now_p99_ms: 4.0",
                "reads: 9"));
  }

  @Test
  void a_shadow_without_reads_has_no_times() {
    Times none = new Times(0, 0, 0);
    assertThat(
            ShadowTable.SHADOW
                .table(ShadowTable.rows(view(), List.of(shadow(ID, none, none))))
                .json())
        .contains("\"estimated_p50_ms\":null,\"estimated_p99_ms\":null")
        .contains("\"now_p50_ms\":null,\"now_p99_ms\":null,\"reads\":0");
  }

  @Test
  void a_shadow_of_all_nodes_or_of_one_that_has_left_has_a_name_too() {
    Times none = new Times(0, 0, 0);
    assertThat(
            ShadowTable.rows(view(), List.of(shadow(null, none, none), shadow(GONE, none, none))))
        .extracting(ShadowTable.Fact::node)
        .containsExactly("all", GONE.toString());
  }
}
