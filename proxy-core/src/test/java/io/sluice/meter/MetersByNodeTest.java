package io.sluice.meter;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the meters of each node: what they show, and when they come and go. */
class MetersByNodeTest {

  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** The state of each node, from which its meters read. */
  private final Map<NodeId, Integer> states = new HashMap<>();

  private final List<NodeId> registered = new ArrayList<>();
  private final Map<NodeId, Timer> timers = new HashMap<>();
  private final MetersByNode<Integer> meters =
      new MetersByNode<>(registry, states::get, this::register);

  private void register(MetersByNode.Registrar<Integer> node) {
    registered.add(node.node());
    node.gauge("size", "a gauge", state -> state);
    node.counter("done", "a counter", state -> 10.0 * state);
    MetersByNode.Registrar<Integer> points = node.and("class", "point");
    points.gauge("size.of", "a gauge with a tag", state -> 100.0 * state);
    timers.put(node.node(), points.and("more", "yes").timer("time", "a timer"));
  }

  private static Node node(NodeId id, int port, String datacenter) {
    InetSocketAddress address = InetSocketAddress.createUnresolved("10.0.0.1", port);
    return new Node(id, address, datacenter, "r", true);
  }

  private void become(Node... nodes) {
    Map<NodeId, Node> all = new HashMap<>();
    for (Node node : nodes) {
      all.put(node.id(), node);
    }
    meters.changed(new Ring(TestPartitioner.ANY, "east", all, Map.of()));
  }

  /** Returns the meters besides the buckets of timers. */
  private List<Meter> meters() {
    return registry.getMeters().stream()
        .filter(meter -> !meter.getId().getName().equals("time.histogram"))
        .toList();
  }

  /** Returns these meters, each with its tags. */
  private List<String> names() {
    return meters().stream()
        .map(Meter::getId)
        .map(
            id ->
                id.getTags().stream()
                    .map(tag -> tag.getKey() + "=" + tag.getValue())
                    .collect(joining(" ", id.getName() + " ", "")))
        .sorted()
        .toList();
  }

  private double size(int port) {
    return registry.get("size").tag("node", "10.0.0.1:" + port).gauge().value();
  }

  @Test
  void each_meter_of_a_node_has_its_address_and_the_tags_of_its_registrar() {
    become(node(ONE, 9042, "east"));
    assertThat(names())
        .containsExactly(
            "done node=10.0.0.1:9042",
            "size node=10.0.0.1:9042",
            "size.of class=point node=10.0.0.1:9042",
            "time class=point more=yes node=10.0.0.1:9042");
    assertThat(meters())
        .extracting(meter -> meter.getId().getDescription())
        .containsExactlyInAnyOrder("a counter", "a gauge", "a gauge with a tag", "a timer");
  }

  @Test
  void meters_show_the_current_state_of_their_node() {
    become(node(ONE, 9042, "east"), node(TWO, 9043, "east"));
    states.put(ONE, 3);
    states.put(TWO, 5);
    assertThat(size(9042)).isEqualTo(3);
    assertThat(size(9043)).isEqualTo(5);
    assertThat(registry.get("size.of").tag("node", "10.0.0.1:9042").gauge().value()).isEqualTo(300);
    assertThat(registry.get("done").tag("node", "10.0.0.1:9042").functionCounter().count())
        .isEqualTo(30);
    states.put(ONE, 4);
    assertThat(size(9042)).isEqualTo(4);
  }

  @Test
  void a_node_without_a_state_shows_zero() {
    become(node(ONE, 9042, "east"));
    assertThat(size(9042)).isZero();
    assertThat(registry.get("done").functionCounter().count()).isZero();
  }

  @Test
  void a_node_without_a_queue_has_no_meters() {
    become(node(ONE, 9042, "west"));
    assertThat(registry.getMeters()).isEmpty();
  }

  /** The reads that it still has are counted to their end. */
  @Test
  void a_known_node_that_loses_its_queue_keeps_its_meters() {
    become(node(ONE, 9042, "east"));
    become(node(ONE, 9042, "west"));
    assertThat(names()).hasSize(4);
  }

  @Test
  void a_node_that_stays_keeps_its_meters() {
    become(node(ONE, 9042, "east"));
    timers.get(ONE).record(1, TimeUnit.MILLISECONDS);
    become(node(ONE, 9042, "east"), node(TWO, 9043, "east"));
    assertThat(registered).containsExactly(ONE, TWO);
    assertThat(registry.get("time").tag("node", "10.0.0.1:9042").timer().count()).isEqualTo(1);
  }

  @Test
  void all_meters_of_a_node_are_removed_with_it_and_no_others() {
    become(node(ONE, 9042, "east"), node(TWO, 9043, "east"));
    become(node(TWO, 9043, "east"));
    assertThat(names()).hasSize(4).allMatch(name -> name.endsWith("node=10.0.0.1:9043"));
    become();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void a_node_that_comes_back_begins_anew() {
    become(node(ONE, 9042, "east"));
    timers.get(ONE).record(1, TimeUnit.MILLISECONDS);
    become();
    become(node(ONE, 9042, "east"));
    assertThat(registry.get("time").timer().count()).isZero();
    assertThat(registry.get("time").timer()).isSameAs(timers.get(ONE));
  }

  @Test
  void a_node_with_a_new_address_has_its_meters_there() {
    become(node(ONE, 9042, "east"));
    states.put(ONE, 3);
    become(node(ONE, 9050, "east"));
    assertThat(names()).hasSize(4).allMatch(name -> name.endsWith("node=10.0.0.1:9050"));
    assertThat(size(9050)).isEqualTo(3);
  }

  @Test
  void two_nodes_may_exchange_their_addresses() {
    become(node(ONE, 9042, "east"), node(TWO, 9043, "east"));
    states.put(ONE, 3);
    states.put(TWO, 5);
    become(node(ONE, 9043, "east"), node(TWO, 9042, "east"));
    assertThat(size(9043)).isEqualTo(3);
    assertThat(size(9042)).isEqualTo(5);
    assertThat(names()).hasSize(8);
  }

  @Test
  void a_timer_counts_in_buckets_of_a_quarter_of_a_millisecond_to_ten_seconds() {
    become(node(ONE, 9042, "east"));
    timers.get(ONE).record(3, TimeUnit.MILLISECONDS);
    var buckets = timers.get(ONE).takeSnapshot().histogramCounts();
    assertThat(buckets).hasSize(15);
    assertThat(buckets[0].bucket(TimeUnit.MICROSECONDS)).isEqualTo(250);
    assertThat(buckets[14].bucket(TimeUnit.SECONDS)).isEqualTo(10);
    assertThat(buckets[3].bucket(TimeUnit.MILLISECONDS)).isEqualTo(2);
    assertThat(buckets[3].count()).isZero();
    assertThat(buckets[4].bucket(TimeUnit.MILLISECONDS)).isEqualTo(5);
    assertThat(buckets[4].count()).isEqualTo(1);
  }
}
