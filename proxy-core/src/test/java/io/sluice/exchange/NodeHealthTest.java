package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeHealthTest {

  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));

  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), new TestLane());
  private final NodeHealth health = new NodeHealth(scheduler::standing);

  NodeHealthTest() {
    scheduler.nodes(List.of(new NodeLimits(ONE, 32), new NodeLimits(TWO, 32)));
    reportUp(true, true);
  }

  private void reportUp(boolean oneUp, boolean twoUp) {
    Map<NodeId, Node> nodes = new HashMap<>();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    nodes.put(ONE, new Node(ONE, address, "dc", "r", oneUp));
    nodes.put(TWO, new Node(TWO, address, "dc", "r", twoUp));
    health.changed(new Ring(TestPartitioner.ANY, "dc", nodes, Map.of()));
  }

  private List<NodeId> suspects() {
    return scheduler.snapshot().nodes().stream()
        .filter(node -> node.isSuspect())
        .map(node -> node.node())
        .toList();
  }

  @Test
  void a_node_that_is_silent_on_its_links_comes_last_until_data_arrives() {
    health.suspect(ONE, true);
    assertThat(health.healthyFirst(List.of(ONE, TWO))).containsExactly(TWO, ONE);
    assertThat(suspects()).containsExactly(ONE);
    health.suspect(ONE, false);
    assertThat(health.healthyFirst(List.of(ONE, TWO))).containsExactly(ONE, TWO);
    assertThat(suspects()).isEmpty();
  }

  @Test
  void a_node_that_is_reported_down_comes_last_until_it_is_up() {
    reportUp(false, true);
    assertThat(suspects()).containsExactly(ONE);
    reportUp(true, true);
    assertThat(suspects()).isEmpty();
    assertThat(health.isHealthy(ONE)).isTrue();
  }

  /**
   * Data on a link is newer than an earlier report of the cluster, even if the report is repeated.
   */
  @Test
  void a_node_with_data_on_a_link_is_healthy_until_a_new_report() {
    reportUp(false, true);
    health.suspect(ONE, false);
    assertThat(suspects()).isEmpty();
    reportUp(false, true);
    assertThat(suspects()).isEmpty();
    assertThat(health.isHealthy(ONE)).isTrue();
    reportUp(true, true);
    reportUp(false, true);
    assertThat(suspects()).containsExactly(ONE);
  }

  /** One thread finds the node silent; another receives data before the scheduler is called. */
  @Test
  void the_last_standing_reported_to_the_scheduler_is_the_current_one() {
    List<NodeHealth> raced = new ArrayList<>();
    List<NodeStanding> reported = new ArrayList<>();
    raced.add(
        new NodeHealth(
            (node, standing) -> {
              if (standing == NodeStanding.SUSPECT) {
                raced.get(0).suspect(ONE, false);
              }
              reported.add(standing);
            }));
    raced.get(0).suspect(ONE, true);
    assertThat(raced.get(0).isHealthy(ONE)).isTrue();
    assertThat(reported).last().isEqualTo(NodeStanding.NORMAL);
  }

  @Test
  void an_avoided_node_comes_after_normal_nodes_and_before_suspects() {
    health.avoid(ONE, true);
    assertThat(health.healthyFirst(List.of(ONE, TWO))).containsExactly(TWO, ONE);
    assertThat(standings()).containsExactly(NodeStanding.AVOIDED, NodeStanding.NORMAL);
    health.suspect(TWO, true);
    assertThat(health.healthyFirst(List.of(TWO, ONE))).containsExactly(ONE, TWO);
    health.suspect(ONE, true);
    assertThat(standings()).containsExactly(NodeStanding.SUSPECT, NodeStanding.SUSPECT);
    health.suspect(ONE, false);
    assertThat(standings()).containsExactly(NodeStanding.AVOIDED, NodeStanding.SUSPECT);
    health.avoid(ONE, false);
    assertThat(standings()).containsExactly(NodeStanding.NORMAL, NodeStanding.SUSPECT);
  }

  private List<NodeStanding> standings() {
    return Stream.of(ONE, TWO)
        .map(node -> Objects.requireNonNull(scheduler.state(node)).standing())
        .toList();
  }

  @Test
  void a_node_that_comes_up_is_no_longer_silent() {
    reportUp(false, true);
    health.suspect(ONE, true);
    reportUp(true, true);
    assertThat(health.isHealthy(ONE)).isTrue();
    assertThat(suspects()).isEmpty();
  }

  @Test
  void the_unhealthy_nodes_are_those_with_queues_that_are_down_or_silent() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    NodeId far = new NodeId(new UUID(0, 3));
    Node one = new Node(ONE, address, "dc", "r", true);
    Node two = new Node(TWO, address, "far", "r", false);
    Node three = new Node(far, address, "farther", "r", false);
    Ring ring =
        Ring.of(TestPartitioner.ANY, "dc", Map.of(ONE, one, TWO, two, far, three), Map.of());
    health.changed(ring.scheduling(List.of("far")));
    assertThat(health.unhealthy()).containsExactly(two);
    health.suspect(ONE, true);
    assertThat(health.unhealthy()).containsExactly(one, two);
    health.suspect(ONE, false);
    health.suspect(TWO, false);
    assertThat(health.unhealthy()).isEmpty();
  }

  @Test
  void a_node_that_has_left_is_forgotten_with_its_problems() {
    health.suspect(ONE, true);
    health.avoid(ONE, true);
    health.avoid(TWO, true);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Map<NodeId, Node> left = Map.of(TWO, new Node(TWO, address, "dc", "r", true));
    health.changed(new Ring(TestPartitioner.ANY, "dc", left, Map.of()));
    assertThat(health.isHealthy(ONE)).isTrue();
    assertThat(health.isAvoided(ONE)).isFalse();
    assertThat(health.isPreferred(ONE)).isTrue();
    assertThat(health.isAvoided(TWO)).isTrue();
  }
}
