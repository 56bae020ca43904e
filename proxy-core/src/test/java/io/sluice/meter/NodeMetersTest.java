package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.NanoClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the meters of nodes: the cost of a scrape, and the addresses in their tags. */
class NodeMetersTest {
  private static final int NODES = 100;

  /** A clock that the scheduler reads once each time it takes a node's lock to show its state. */
  private static final class Clock implements NanoClock {
    private long now;
    private int reads;

    @Override
    public long nanoTime() {
      reads++;
      return now;
    }
  }

  private final Clock schedulers = new Clock();
  private final Clock meters = new Clock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), schedulers);
  private final NodeMeters nodeMeters = new NodeMeters(registry, scheduler, meters);

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  private static Ring ring(int nodes, int firstPort) {
    Map<NodeId, Node> all = new HashMap<>();
    for (int i = 0; i < nodes; i++) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), firstPort + i);
      all.put(id(i), new Node(id(i), address, "dc", "r", true));
    }
    return new Ring(TestPartitioner.ANY, "dc", all, Map.of());
  }

  @BeforeEach
  void nodes() {
    scheduler.nodes(
        ring(NODES, 1000).local().stream().map(node -> new NodeLimits(node.id(), 32)).toList());
    nodeMeters.changed(ring(NODES, 1000));
    schedulers.reads = 0;
  }

  private void scrape() {
    registry.getMeters().forEach(Meter::measure);
    registry.forEachMeter(meter -> meter.measure().forEach(each -> each.getValue()));
  }

  private double slots(int port) {
    return registry
        .get("sluice.limit")
        .tag("node", "localhost:" + port)
        .tag("class", "point")
        .gauge()
        .value();
  }

  @Test
  void a_scrape_takes_each_nodes_lock_once() {
    assertThat(registry.getMeters().size()).isGreaterThan(15 * NODES);

    scrape();

    assertThat(schedulers.reads).isEqualTo(NODES);
  }

  @Test
  void the_next_scrape_shows_changed_limits() {
    scrape();
    scheduler.nodes(List.of(new NodeLimits(id(0), 8)));
    meters.now += 1_000_000_000;

    assertThat(slots(1000)).isEqualTo(8);
    assertThat(slots(1001)).isZero();
  }

  @Test
  void meters_are_removed_with_a_node_or_its_address() {
    nodeMeters.changed(ring(2, 1001));

    assertThat(slots(1001)).isEqualTo(32);
    assertThat(slots(1002)).isEqualTo(32);
    assertThat(registry.find("sluice.limit").tag("node", "localhost:1000").gauges()).isEmpty();
    assertThat(registry.find("sluice.limit").gauges()).hasSize(4);
  }
}
