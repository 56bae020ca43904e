package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.link.LinkFailure;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reads that go to one replica at a time: their queue, their nodes and their outcome. */
class ReadExchangeTest extends ExchangeFixture {

  ReadExchangeTest() {
    share(0);
  }

  private Asked point(NodeId... replicas) {
    return read(PriorityClass.POINT, replicas);
  }

  private Asked range(NodeId... replicas) {
    return read(PriorityClass.RANGE, replicas);
  }

  private long overloaded(int node) {
    return Objects.requireNonNull(scheduler.state(id(node))).point().overloaded();
  }

  @Test
  void a_point_read_counts_among_those_of_its_client_until_it_ends_and_a_range_read_does_not() {
    Asked point = point();
    assertThat(client.pointReads.underWay()).isEqualTo(1);
    sentTo(1).answer(rows(1));
    assertThat(point.said()).isEqualTo(said(1));
    assertThat(client.pointReads.underWay()).isZero();
    range();
    assertThat(client.pointReads.underWay()).isZero();
    sentTo(1).answer(rows(1));
    assertThat(lane.scheduled()).as("timers").isZero();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.SERVER_ERROR,
        ErrorCode.UNAVAILABLE,
        ErrorCode.READ_TIMEOUT,
        ErrorCode.READ_FAILURE,
        ErrorCode.INVALID
      })
  void another_error_is_the_answer_at_once(int code) {
    Asked asked = point();
    sentTo(1).answer(TestFrames.error(4, code));
    assertThat(asked.said()).isEqualTo("%04x".formatted(code));
    sentNoneTo(2, 3);
    assertThat(slots()).isZero();
  }

  @Test
  void a_read_is_described_as_queued_until_it_is_sent_and_then_as_reading() {
    point(id(1));
    point(id(1));
    point(id(1));
    assertThat(running())
        .extracting(each -> each.progress().state())
        .containsExactly(State.QUEUED, State.READING, State.READING);
    lane.pass(10);
    assertThat(running().get(0).waitedNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    assertThat(running().get(1).waitedNanos()).isZero();
    for (int i = 0; i < 3; i++) {
      sentTo(1).answer(rows(1));
    }
  }

  @Test
  void a_read_fails_over_to_each_replica_once_then_to_two_other_nodes() {
    Asked asked = point(id(2));
    List.of(2, 3, 1).forEach(this::diesInTurn);
    assertThat(asked.said()).isEqualTo("1000");
    assertThat(asked.words())
        .isEqualTo("No replica could be reached: the node closed the connection");
    assertThat(slots()).isZero();
  }

  private void diesInTurn(int preferred) {
    for (int node : new int[] {preferred, 1, 2, 3}) {
      MemoryNodes.Asked next = nodes.next(node);
      if (next != null) {
        next.ignore();
        nodes.dies(node);
        lane.runSoon();
        return;
      }
    }
    throw new AssertionError("no node has the read");
  }

  @Test
  void a_replica_that_has_left_the_cluster_is_passed_over() {
    cluster.becomes(view(2, 3));
    Asked asked = point(id(1), id(2));
    sentTo(2).answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    cluster.becomes(view());
  }

  @Test
  void a_read_without_replicas_goes_to_any_node_and_fails_without_nodes() {
    Frame frame = CqlCodec.query(4, READ);
    Asked asked = read(frame, PriorityClass.POINT, List.of());
    diesInTurn(1);
    diesInTurn(1);
    assertThat(asked.said()).isEqualTo("1000");

    ClusterView known = cluster.view();
    Ring empty = new Ring(known.ring().partitioner(), "dc1", Map.of(), Map.of());
    cluster.becomes(new ClusterView(empty, known.catalog(), Map.of(), Map.of()));
    Asked none = read(CqlCodec.query(4, READ), PriorityClass.POINT, List.of());
    assertThat(none.said()).isEqualTo("1000");
    assertThat(none.words()).isEqualTo("No node is known that could be asked");
    cluster.becomes(known);
  }

  @Test
  void a_keyspace_that_a_replica_does_not_know_yet_is_asked_of_one_other_node() {
    nodes.refuses(1, new LinkFailure(ErrorCode.INVALID, "unknown at 1"));
    Asked asked = point();
    sentTo(2).answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    nodes.refuses(2, new LinkFailure(ErrorCode.INVALID, "unknown at 2"));
    Asked refused = point();
    assertThat(refused.said()).isEqualTo("2200");
    assertThat(refused.words()).isEqualTo("unknown at 2");
    sentNoneTo(3);
    nodes.refuses(1, new LinkFailure(ErrorCode.UNAUTHORIZED, "never"));
    assertThat(point().said()).as("a refusal for good").isEqualTo("2100");
  }

  @Test
  void a_silent_replica_is_given_up_for_another_one_and_waited_for_without() {
    Asked asked = point(id(1), id(2));
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    assertThat(slots()).as("slots").isEqualTo(1);
    MemoryNodes.Asked second = sentTo(2);
    nodes.isSilent(2);
    sentNoneTo(3);
    first.answer(rows(7));
    assertThat(asked.said()).isEqualTo("nothing");
    second.answer(rows(2));
    assertThat(asked.said()).isEqualTo(said(2));
    assertThat(overloaded(1) + overloaded(2)).isZero();
  }

  @Test
  void a_node_that_is_too_slow_counts_as_overloaded_unless_an_operator_ends_the_read() {
    Asked late = point(id(1));
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(TIMEOUT_MILLIS);
    assertThat(late.said()).isEqualTo("1200");
    assertThat(overloaded(1)).isEqualTo(1);
    assertThat(slots()).isZero();
    sent.ignore();

    Asked ended = point(id(1));
    sent = sentTo(1);
    ended.exchange().end("not now");
    assertThat(ended.said()).isEqualTo("2200");
    assertThat(overloaded(1)).isEqualTo(1);
    assertThat(slots()).isZero();
    sent.ignore();
  }

  private void ruleEndsReadsAfter(int millis) {
    rules.change(List.of(Records.with(rule(), "timeout", Duration.ofMillis(millis))));
  }

  @Test
  void a_read_that_its_rule_ends_early_keeps_its_slot_and_the_node_is_not_overloaded() {
    ruleEndsReadsAfter(100);
    Asked ended = point(id(1));
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(100);
    assertThat(ended.said()).isEqualTo("1200");
    assertThat(slots()).as("slots while the node is at work").isEqualTo(1);
    sent.answer(rows(1));
    assertThat(slots()).as("slots after the late answer").isZero();
    assertThat(overloaded(1)).isZero();
  }

  @Test
  void reads_that_their_rule_ends_early_never_run_beyond_the_slots_of_the_node() {
    ruleEndsReadsAfter(100);
    for (int i = 0; i < 10; i++) {
      point(id(1));
      lane.pass(100);
    }
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    sentNoneTo(1);
  }

  @Test
  void a_read_that_its_rule_has_ended_frees_its_slot_at_the_timeout_of_the_node() {
    ruleEndsReadsAfter(100);
    point(id(1));
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(TIMEOUT_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    assertThat(overloaded(1)).isZero();
    lane.pass(1);
    assertThat(slots()).isZero();
    assertThat(overloaded(1)).isEqualTo(1);
    sent.ignore();
  }

  @Test
  void a_read_that_was_sent_shortly_before_its_deadline_says_nothing_about_the_node() {
    point(id(1));
    point(id(1));
    lane.pass(1);
    Asked waits = point(id(1));
    lane.pass(TIMEOUT_MILLIS - 2);
    MemoryNodes.Asked first = sentTo(1);
    sentTo(1).answer(rows(1));
    first.answer(rows(1));
    MemoryNodes.Asked late = sentTo(1);
    lane.pass(2);
    assertThat(waits.said()).isEqualTo("1200");
    assertThat(slots()).isEqualTo(1);
    late.answer(rows(1));
    assertThat(overloaded(1)).isZero();
  }

  @Test
  void a_queued_read_that_an_operator_ends_leaves_its_queue() {
    point(id(1));
    point(id(1));
    Asked queued = point(id(1));
    queued.exchange().end("not now");
    assertThat(queued.said()).isEqualTo("2200");
    assertThat(slots()).isEqualTo(2);
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    sentNoneTo(1);
  }

  @Test
  void rows_that_cannot_be_counted_are_an_error_and_free_the_slot() {
    Asked asked = range();
    Frame broken = TestFrames.of("84 00 0000 08 00000008 00000002 00000001");
    sentTo(1).answer(broken);
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).startsWith("Sluice failed to handle a node's answer: ");
    assertThat(TestFrames.isReleased(broken)).isTrue();
    assertThat(slots()).isZero();
  }
}
