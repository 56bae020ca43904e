package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerWitness;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeHealth;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ShadowMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.watch.NodePools;
import io.sluice.watch.NodeTimeouts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests what the scheduler is told of the cluster: the number of reads that a node gets at once
 * (K), as its pools and its agent become known, and the timeouts of the nodes.
 */
class ClusterListenerTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));

  /** The settings that the scheduler uses, from the first to the latest. */
  private final List<SchedulingConfig> settings = new ArrayList<>();

  private final Scheduler scheduler =
      new Scheduler(
          SchedulingConfig.defaults(),
          new TestLane(),
          new SchedulerWitness() {
            @Override
            public void settings(SchedulingConfig next, long at) {
              settings.add(next);
            }
          });
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ClusterListener watching =
      new ClusterListener(
          scheduler,
          new NodeHealth(scheduler::standing),
          new ClusterListener.Meters(
              new NodeMeters(registry, scheduler, new TestLane()),
              new ShadowMeters(registry),
              new ProxyMeters(registry)),
          new EventHub(),
          new Densities(),
          List.of());

  private long slots(Map<NodeId, NodePools> pools, NodeAgent agent) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Map<NodeId, Node> nodes = Map.of(NODE, new Node(NODE, address, "dc", "r", true));
    watching.changed(
        new ClusterView(
            new Ring(TestPartitioner.ANY, "dc", nodes, Map.of()),
            (keyspace, table) -> null,
            pools,
            Map.of(NODE, agent)));
    return scheduler.snapshot().nodes().get(0).slots();
  }

  @Test
  void a_node_without_an_agent_gets_its_number_of_concurrent_reads() {
    assertThat(slots(Map.of(), NodeAgent.ABSENT)).isEqualTo(32);
    assertThat(slots(Map.of(NODE, new NodePools(8, 128)), NodeAgent.ABSENT)).isEqualTo(8);
  }

  @Test
  void a_node_that_orders_its_reads_gets_three_quarters_of_its_request_threads() {
    assertThat(slots(Map.of(), NodeAgent.ORDERS)).isEqualTo(96);
    assertThat(slots(Map.of(NODE, new NodePools(8, 40)), NodeAgent.ORDERS)).isEqualTo(30);
  }

  @Test
  void an_agent_never_lowers_the_number_of_reads() {
    assertThat(slots(Map.of(NODE, new NodePools(32, 16)), NodeAgent.ORDERS)).isEqualTo(32);
  }

  @Test
  void without_an_active_agent_the_number_of_reads_is_restored() {
    assertThat(slots(Map.of(), NodeAgent.ORDERS)).isEqualTo(96);
    assertThat(slots(Map.of(), NodeAgent.OFF)).isEqualTo(32);
    assertThat(slots(Map.of(), NodeAgent.ORDERS)).isEqualTo(96);
    assertThat(slots(Map.of(), NodeAgent.ABSENT)).isEqualTo(32);
  }

  @Test
  void the_timeouts_of_the_nodes_are_those_of_the_scheduler() {
    slots(Map.of(), NodeAgent.ABSENT);
    assertThat(settings).as("before they are known").isEmpty();
    for (int i = 0; i < 2; i++) {
      watching.changed(
          new ClusterView(
              new Ring(TestPartitioner.ANY, "dc", Map.of(), Map.of()),
              (keyspace, table) -> null,
              Map.of(),
              Map.of(),
              timeouts(Duration.ofSeconds(3), Duration.ofSeconds(60))));
    }
    assertThat(settings).as("changes").hasSize(1);
    assertThat(settings.get(0).timeout(PriorityClass.POINT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.get(0).timeout(PriorityClass.RANGE)).isEqualTo(Duration.ofSeconds(60));
  }

  private static NodeTimeouts timeouts(Duration read, Duration range) {
    Duration other = Duration.ofSeconds(9);
    return new NodeTimeouts(read, range, other, other, other, other, other, other);
  }

  private static Node node(long number, String datacenter) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    return new Node(new NodeId(new UUID(0, number)), address, datacenter, "r", true);
  }

  private List<Long> queues() {
    return scheduler.snapshot().nodes().stream()
        .map(each -> each.node().hostId().getLeastSignificantBits())
        .sorted()
        .toList();
  }

  @Test
  void nodes_of_a_data_centre_that_a_rule_names_have_queues_for_good() {
    Map<NodeId, Node> nodes = new HashMap<>();
    List.of(node(1, "dc"), node(2, "far"), node(3, "other"))
        .forEach(each -> nodes.put(each.id(), each));
    Ring ring = Ring.of(TestPartitioner.ANY, "dc", nodes, Map.of());
    watching.name(List.of());
    watching.changed(new ClusterView(ring, (keyspace, table) -> null, Map.of(), Map.of()));
    assertThat(queues()).containsExactly(1L);
    watching.name(List.of("far", "nowhere"));
    assertThat(queues()).containsExactly(1L, 2L);
    watching.name(List.of());
    assertThat(queues()).as("reads may still wait there").containsExactly(1L, 2L);
    watching.changed(new ClusterView(ring, (keyspace, table) -> null, Map.of(), Map.of()));
    assertThat(queues()).containsExactly(1L, 2L);
  }

  private static ClusterView view(Node... nodes) {
    Map<NodeId, Node> all = new HashMap<>();
    List.of(nodes).forEach(each -> all.put(each.id(), each));
    Ring ring = Ring.of(TestPartitioner.ANY, "dc", all, Map.of());
    return new ClusterView(ring, (keyspace, table) -> null, Map.of(), Map.of());
  }

  /** While a snapshot replaces another, requests are planned by either. */
  @Test
  void nodes_of_the_last_snapshot_and_of_the_coming_one_have_queues() {
    watching.changed(view(node(1, "dc"), node(2, "dc")));
    ClusterView next = view(node(2, "dc"), node(3, "dc"), node(4, "far"));
    watching.coming(next);
    assertThat(queues()).containsExactly(1L, 2L, 3L);
    watching.changed(next);
    assertThat(queues()).containsExactly(2L, 3L);
  }
}
