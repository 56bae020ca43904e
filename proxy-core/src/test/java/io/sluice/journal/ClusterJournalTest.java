package io.sluice.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the log lines about nodes. A second passes with each look. */
class ClusterJournalTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));

  private final ClusterJournal journal = new ClusterJournal();
  private final Map<NodeId, Boolean> up = new LinkedHashMap<>(Map.of(A, true));
  private final Map<NodeId, Boolean> far = new LinkedHashMap<>();
  private final Map<NodeId, NodeState> states = new LinkedHashMap<>();
  private long second;

  @Test
  void the_first_look_logs_the_number_of_nodes() {
    up.put(B, true);

    assertThat(look()).containsExactly("INFO Data centre dc: 2 of 2 nodes are up");
    assertThat(look()).isEmpty();
  }

  @Test
  void a_node_that_is_down_at_the_first_look_is_logged() {
    up.put(B, false);

    assertThat(look())
        .containsExactly(
            "WARN Node 10.0.0.2:9042 is down: it gets no reads",
            "INFO Data centre dc: 1 of 2 nodes are up");
  }

  @Test
  void a_node_that_goes_down_and_comes_back_is_logged_once_each_with_the_downtime() {
    up.put(B, true);
    look();
    up.put(B, false);
    assertThat(look()).containsExactly("WARN Node 10.0.0.2:9042 is down: it gets no reads");
    assertThat(look()).isEmpty();
    passes(10);
    up.put(B, true);

    assertThat(look()).containsExactly("INFO Node 10.0.0.2:9042 is up again after 12 s");
    assertThat(look()).isEmpty();
  }

  @Test
  void a_node_that_joins_and_leaves_is_logged() {
    look();
    up.put(B, true);
    assertThat(look()).containsExactly("INFO Node 10.0.0.2:9042 has joined the cluster, in rack r");
    up.remove(B);

    assertThat(look()).containsExactly("INFO Node 10.0.0.2:9042 has left the cluster");
  }

  @Test
  void the_loss_of_the_last_node_is_an_error() {
    look();
    up.put(A, false);
    assertThat(look()).contains("ERROR Data centre dc: no node is up, requests are refused");
    assertThat(look()).isEmpty();
    up.put(A, true);

    assertThat(look()).contains("INFO Data centre dc: requests are served again");
  }

  @Test
  void a_node_that_is_heard_although_it_is_reported_down_is_logged() {
    up.put(A, false);
    states.put(A, suspect(true));
    look();
    passes(29);
    states.put(A, suspect(false));

    assertThat(look())
        .containsExactly(
            "INFO Node 10.0.0.1:9042 is heard again after 30 s: it gets reads, although it is"
                + " reported down");
  }

  @Test
  void a_report_that_a_node_is_up_is_not_logged_as_a_sign_of_life() {
    up.put(B, true);
    look();
    states.put(A, suspect(true));
    look();
    up.put(A, false);
    look();
    up.put(A, true);
    states.put(A, suspect(false));

    assertThat(look()).containsExactly("INFO Node 10.0.0.1:9042 is up again after 1 s");
  }

  @Test
  void a_node_that_falls_silent_and_is_heard_again_is_logged() {
    look();
    states.put(A, suspect(true));
    assertThat(look())
        .containsExactly(
            "WARN Node 10.0.0.1:9042 is silent: reads go to other replicas where they can");
    passes(4);
    states.put(A, suspect(false));

    assertThat(look()).containsExactly("INFO Node 10.0.0.1:9042 is heard again after 5 s");
  }

  @Test
  void a_node_that_is_down_is_not_logged_as_silent() {
    look();
    up.put(A, false);
    states.put(A, suspect(true));

    assertThat(look()).noneMatch(line -> line.contains("silent"));
  }

  @Test
  void the_first_refusal_is_logged_at_once_and_later_ones_once_a_minute() {
    states.put(A, refused(0));
    look();
    states.put(A, refused(3));
    assertThat(look())
        .containsExactly(
            "WARN Node 10.0.0.1:9042: range reads refused, its queue is too long (OVERLOADED): 3");
    for (int more = 1; more < 60; more++) {
      states.put(A, refused(3 + more));
      assertThat(look()).isEmpty();
    }
    states.put(A, refused(100));

    assertThat(look())
        .containsExactly(
            "WARN Node 10.0.0.1:9042: range reads refused, its queue is too long (OVERLOADED):"
                + " 97 in 60 s");
  }

  @Test
  void refusals_before_the_first_look_are_not_logged() {
    states.put(A, refused(50));

    assertThat(look()).noneMatch(line -> line.contains("refused"));
    assertThat(look()).isEmpty();
  }

  @Test
  void counts_that_are_reset_are_followed_from_zero() {
    states.put(A, refused(50));
    look();
    states.put(A, refused(0));
    look();
    states.put(A, refused(2));

    assertThat(look()).singleElement().asString().endsWith(": 2");
  }

  @Test
  void each_kind_of_refusal_and_each_class_has_its_own_line() {
    states.put(A, state(false, 4, counts(0, 0, 0), counts(0, 0, 0)));
    look();
    states.put(A, state(false, 4, counts(1, 2, 3), counts(4, 5, 6)));

    assertThat(look())
        .extracting(line -> line.replaceAll(".*9042: ", ""))
        .containsExactly(
            "point reads refused, its queue is too long (OVERLOADED): 1",
            "point reads refused, their deadline cannot be met: 2",
            "point reads ended by the node's overload or by a timeout: 3",
            "range reads refused, its queue is too long (OVERLOADED): 4",
            "range reads refused, their deadline cannot be met: 5",
            "range reads ended by the node's overload or by a timeout: 6");
  }

  @Test
  void a_large_change_of_the_limit_is_logged_at_most_once_a_minute() {
    states.put(A, limit(16));
    look();
    passes(60);
    states.put(A, limit(9));
    assertThat(look()).isEmpty();
    states.put(A, limit(8));
    assertThat(look())
        .containsExactly("INFO Node 10.0.0.1:9042: limit of range reads at once: 8, was 16");
    states.put(A, limit(1));
    assertThat(look()).isEmpty();
    passes(60);

    assertThat(look())
        .containsExactly("INFO Node 10.0.0.1:9042: limit of range reads at once: 1, was 8");
  }

  @Test
  void a_change_between_small_limits_is_not_logged() {
    states.put(A, limit(1));
    look();
    passes(60);
    states.put(A, limit(4));

    assertThat(look()).isEmpty();
  }

  @Test
  void a_node_of_another_data_centre_is_not_logged() {
    look();
    far.put(B, false);

    assertThat(look()).isEmpty();
  }

  @Test
  void a_node_of_another_data_centre_that_has_a_queue_is_logged() {
    look();
    far.put(B, true);
    states.put(B, at(B, refused(0)));
    assertThat(look()).as("it has not joined, but a rule names its data centre").isEmpty();

    far.put(B, false);
    states.put(B, at(B, refused(1)));
    assertThat(look())
        .containsExactly(
            "WARN Node 10.0.0.2:9042 is down: it gets no reads",
            "WARN Node 10.0.0.2:9042: range reads refused, its queue is too long (OVERLOADED): 1");

    far.remove(B);
    assertThat(look()).containsExactly("INFO Node 10.0.0.2:9042 has left the cluster");
  }

  private List<String> look() {
    Map<NodeId, Node> nodes = new LinkedHashMap<>();
    up.forEach((id, isUp) -> nodes.put(id, node(id, "dc", isUp)));
    far.forEach((id, isUp) -> nodes.put(id, node(id, "other", isUp)));
    List<Line> lines =
        journal.look(ring(nodes), states.values(), TimeUnit.SECONDS.toNanos(second++));
    return lines.stream().map(line -> line.level() + " " + line.text()).toList();
  }

  private void passes(long seconds) {
    second += seconds;
  }

  private static Ring ring(Map<NodeId, Node> nodes) {
    return new Ring(TestPartitioner.INT_KEYS, "dc", nodes, Map.of());
  }

  private static Node node(NodeId id, String datacenter, boolean isUp) {
    String host = "10.0.0." + id.hostId().getLeastSignificantBits();
    return new Node(id, new InetSocketAddress(host, 9042), datacenter, "r", isUp);
  }

  private static NodeState suspect(boolean isSuspect) {
    return state(isSuspect, 4, counts(0, 0, 0), counts(0, 0, 0));
  }

  private static NodeState refused(long rangeReads) {
    return state(false, 4, counts(0, 0, 0), counts(rangeReads, 0, 0));
  }

  private static NodeState limit(int rangeSlots) {
    return state(false, rangeSlots, counts(0, 0, 0), counts(0, 0, 0));
  }

  private static NodeState state(
      boolean isSuspect, int rangeSlots, ClassState point, ClassState range) {
    NodeStanding standing = isSuspect ? NodeStanding.SUSPECT : NodeStanding.NORMAL;
    return new NodeState(A, standing, 32, rangeSlots, 0, 1, 0, point, range);
  }

  private static NodeState at(NodeId node, NodeState state) {
    return new NodeState(
        node,
        state.standing(),
        state.slots(),
        state.rangeSlots(),
        state.backlogMicros(),
        state.rate(),
        state.behindRangesNanos(),
        state.point(),
        state.range());
  }

  private static ClassState counts(long shed, long expired, long overloaded) {
    return new ClassState(0, 0, 0, overloaded, shed, expired, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
