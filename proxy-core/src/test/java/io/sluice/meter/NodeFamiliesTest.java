package io.sluice.meter;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests which meters a node has, and what those of its standing show. */
class NodeFamiliesTest {

  private static final NodeId ID = new NodeId(new UUID(0, 1));

  private final TestLane clock = new TestLane();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), clock);

  NodeFamiliesTest() {
    InetSocketAddress address = InetSocketAddress.createUnresolved("10.0.0.1", 9042);
    Node node = new Node(ID, address, "dc", "r", true);
    scheduler.nodes(List.of(new NodeLimits(ID, 32)));
    new NodeMeters(registry, scheduler, clock)
        .changed(new Ring(TestPartitioner.ANY, "dc", Map.of(ID, node), Map.of()));
  }

  private static String written(Meter meter) {
    return meter.getId().getName()
        + meter.getId().getTags().stream()
            .filter(tag -> !tag.getKey().equals("node"))
            .map(Tag::getValue)
            .collect(joining(" ", " ", ""))
            .stripTrailing();
  }

  @Test
  void a_node_has_these_meters() {
    assertThat(registry.getMeters())
        .extracting(NodeFamiliesTest::written)
        .containsExactlyInAnyOrder(
            "sluice.node.agent",
            "sluice.node.agent.aged",
            "sluice.node.agent.enabled",
            "sluice.node.agent.overtakes",
            "sluice.node.agent.queued local_point",
            "sluice.node.agent.queued remote_point",
            "sluice.node.agent.queued range",
            "sluice.node.agent.unknown",
            "sluice.node.agent.widths.told",
            "sluice.node.avoided",
            "sluice.node.backlog.seconds",
            "sluice.node.suspect",
            "sluice.point.wait.behind.ranges.seconds",
            "sluice.dispatched point",
            "sluice.dispatched range",
            "sluice.in.flight point",
            "sluice.in.flight range",
            "sluice.limit point",
            "sluice.limit range",
            "sluice.overloaded point",
            "sluice.overloaded range",
            "sluice.queue.error.seconds point",
            "sluice.queue.error.seconds range",
            "sluice.queue.expected.seconds point",
            "sluice.queue.expected.seconds range",
            "sluice.queued point",
            "sluice.queued range",
            "sluice.refused point overloaded",
            "sluice.refused point deadline",
            "sluice.refused range overloaded",
            "sluice.refused range deadline",
            "sluice.work.done.seconds point",
            "sluice.work.done.seconds range",
            "sluice.work.predicted.seconds point",
            "sluice.work.predicted.seconds range");
    assertThat(registry.getMeters())
        .allMatch(meter -> "10.0.0.1:9042".equals(meter.getId().getTag("node")));
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private void stands(NodeStanding standing) {
    scheduler.standing(ID, standing);
    clock.pass(100);
  }

  @Test
  void a_node_is_suspect_or_avoided_as_the_scheduler_takes_it() {
    assertThat(gauge("sluice.node.suspect")).isZero();
    assertThat(gauge("sluice.node.avoided")).isZero();
    stands(NodeStanding.SUSPECT);
    assertThat(gauge("sluice.node.suspect")).isEqualTo(1);
    assertThat(gauge("sluice.node.avoided")).isZero();
    stands(NodeStanding.AVOIDED);
    assertThat(gauge("sluice.node.suspect")).isZero();
    assertThat(gauge("sluice.node.avoided")).isEqualTo(1);
  }

  @Test
  void a_reading_is_valid_for_a_tenth_of_a_second() {
    assertThat(gauge("sluice.node.suspect")).isZero();
    scheduler.standing(ID, NodeStanding.SUSPECT);
    clock.pass(99);
    assertThat(gauge("sluice.node.suspect")).isZero();
    clock.pass(1);
    assertThat(gauge("sluice.node.suspect")).isEqualTo(1);
  }

  @Test
  void range_reads_have_a_limit_of_their_own() {
    double points = registry.get("sluice.limit").tag("class", "point").gauge().value();
    double ranges = registry.get("sluice.limit").tag("class", "range").gauge().value();
    assertThat(points).isEqualTo(32);
    assertThat(ranges)
        .isPositive()
        .isLessThan(points)
        .isEqualTo(scheduler.snapshot().nodes().get(0).rangeSlots());
  }
}
