package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the meters of the shadow: they exist from the start and are removed with their node. */
class ShadowMetersTest {
  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final long MS = 1_000_000;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ShadowMeters meters = new ShadowMeters(registry);

  private static Ring ring(boolean known) {
    InetSocketAddress address = InetSocketAddress.createUnresolved("10.0.0.1", 9042);
    Map<NodeId, Node> nodes =
        known ? Map.of(NODE, new Node(NODE, address, "dc", "r", true)) : Map.of();
    return new Ring(TestPartitioner.ANY, "dc", nodes, Map.of());
  }

  private Timer timer(String name, String of) {
    return registry.get(name).tag("node", "10.0.0.1:9042").tag("class", of).timer();
  }

  private double refused(String reason) {
    return registry
        .get("sluice.shadow.refused")
        .tag("class", "range")
        .tag("reason", reason)
        .functionCounter()
        .count();
  }

  @Test
  void times_and_refusals_are_counted_by_node_and_class() {
    meters.changed(ring(true));
    assertThat(timer("sluice.shadow.wait", "range").count()).isZero();
    assertThat(refused("deadline")).isZero();

    meters.answered(NODE, PriorityClass.POINT, 3 * MS, 0);
    meters.wouldAnswer(NODE, PriorityClass.RANGE, 20 * MS, 30 * MS, 0);
    meters.wouldRefuse(NODE, PriorityClass.RANGE, Refusal.Reason.OVERLOADED, 0);

    assertThat(timer("sluice.shadow.observed", "point").totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(3);
    assertThat(timer("sluice.shadow.observed", "range").count()).isZero();
    assertThat(timer("sluice.shadow.wait", "range").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
    assertThat(timer("sluice.shadow.response", "range").totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(30);
    assertThat(refused("overloaded")).isEqualTo(1);
    assertThat(refused("deadline")).isZero();
  }

  @Test
  void an_unknown_node_is_not_counted() {
    meters.answered(NODE, PriorityClass.POINT, MS, 0);
    meters.changed(ring(true));
    meters.changed(ring(false));
    meters.wouldAnswer(NODE, PriorityClass.POINT, MS, MS, 0);
    meters.wouldRefuse(NODE, PriorityClass.POINT, Refusal.Reason.DEADLINE, 0);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void lost_notes_are_counted() {
    LongAdder lost = new LongAdder();
    lost.add(7);
    meters.losses(lost::sum);
    assertThat(registry.get("sluice.shadow.lost").functionCounter().count()).isEqualTo(7);
  }

  /** A counter without its object keeps its last value. */
  @Test
  void lost_notes_are_counted_after_a_garbage_collection() {
    LongAdder lost = new LongAdder();
    meters.losses(lost::sum);
    WeakReference<Object> collected = new WeakReference<>(new Object());
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return collected.get() == null;
            });
    lost.add(7);
    assertThat(registry.get("sluice.shadow.lost").functionCounter().count()).isEqualTo(7);
  }
}
