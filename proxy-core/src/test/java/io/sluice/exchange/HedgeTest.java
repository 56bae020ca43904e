package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.link.MemoryNodes;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the answer of a read that was sent to two replicas. */
class HedgeTest extends HedgeFixture {

  @Test
  void a_late_read_is_also_sent_to_another_replica_and_the_first_answer_wins() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(1);
    sentNoneTo(2);
    lane.pass(LATE_MILLIS - 1);
    MemoryNodes.Asked second = sentTo(2);
    assertThat(slots()).isEqualTo(2);

    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    assertThat(slots()).as("the slot of the first node").isEqualTo(1);

    first.answer(rows(1));
    assertThat(slots()).isZero();
    assertThat(counted("won")).isEqualTo(1);
  }

  @Test
  void the_late_answer_of_the_second_request_is_dropped() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    assertThat(slots()).isEqualTo(1);
    second.answer(rows(7));
    assertThat(slots()).isZero();
    assertThat(counted("lost")).isEqualTo(1);
  }

  @Test
  void a_request_that_lost_and_is_not_answered_frees_its_slot_at_the_timeout() {
    learn();
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    lane.pass(TIMEOUT_MILLIS - LATE_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    first.answer(rows(1));
  }

  @Test
  void a_request_of_a_client_that_is_gone_frees_its_slot_at_the_timeout() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    asked.open = false;
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    assertThat(asked.said()).isEqualTo("1200");
    lane.pass(TIMEOUT_MILLIS - LATE_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    first.answer(rows(1));
  }

  @Test
  void a_request_that_lost_frees_its_slot_when_its_node_dies() {
    learn();
    read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    nodes.dies(1);
    lane.runSoon();
    assertThat(slots()).isZero();
    sentNoneTo(3);
  }

  @Test
  void an_error_is_not_the_answer_while_the_other_request_is_in_flight() {
    learn();
    Asked firstFails = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(firstFails.said()).isEqualTo("nothing");
    second.answer(rows(7));
    assertThat(firstFails.said()).isEqualTo(said(7));
    assertThat(counted("won")).isEqualTo(1);

    Asked secondFails = read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(TestFrames.error(4, ErrorCode.OVERLOADED));
    assertThat(secondFails.said()).isEqualTo("nothing");
    sentNoneTo(3);
    first.answer(rows(1));
    assertThat(secondFails.said()).isEqualTo(said(1));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void the_later_of_two_errors_is_the_answer() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(TestFrames.error(4, ErrorCode.OVERLOADED));
    first.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(asked.said()).isEqualTo("%04x".formatted(ErrorCode.READ_FAILURE));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void when_the_first_node_dies_a_third_is_tried_and_the_second_may_still_answer() {
    learn();
    Asked asked = read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    nodes.dies(1);
    MemoryNodes.Asked third = sentTo(3);
    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    third.answer(rows(1));
  }

  @Test
  void when_the_first_node_dies_no_node_gets_the_read_twice() {
    learn();
    Asked asked = read(frame(READ, ONE, false), List.of(id(1), id(2)));
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    nodes.dies(1);
    sentNoneTo(2);
    MemoryNodes.Asked noReplica = sentTo(3);
    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    noReplica.answer(rows(1));
  }

  @Test
  void when_the_second_node_dies_no_third_is_tried_and_the_first_may_still_answer() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).ignore();
    nodes.dies(2);
    lane.runSoon();
    sentNoneTo(3);
    assertThat(asked.said()).isEqualTo("nothing");
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void when_neither_answers_the_read_times_out_and_both_slots_are_free() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    lane.pass(TIMEOUT_MILLIS);
    assertThat(asked.said()).isEqualTo("%04x".formatted(ErrorCode.READ_TIMEOUT));
    assertThat(slots()).isZero();
    first.answer(rows(1));
    second.answer(rows(7));
    assertThat(counted("failed")).isEqualTo(1);
  }

  /** SERVER_ERROR has the code 0. */
  @Test
  void a_server_error_counts_as_an_error_and_a_dropped_one_is_released() {
    learn();
    Frame error = TestFrames.error(4, ErrorCode.SERVER_ERROR);
    Asked secondFails = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(error);
    assertThat(secondFails.said()).isEqualTo("nothing");
    assertThat(TestFrames.isReleased(error)).isTrue();
    first.answer(rows(1));
    assertThat(secondFails.said()).isEqualTo(said(1));

    Asked bothFail = read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(TestFrames.error(4, ErrorCode.SERVER_ERROR));
    assertThat(bothFail.said()).isEqualTo("nothing");
    second.answer(TestFrames.error(4, ErrorCode.SERVER_ERROR));
    assertThat(bothFail.said()).isEqualTo("0000");
    assertThat(counted("failed")).isEqualTo(2);
    assertThat(counted("won")).isZero();
  }

  @Test
  void a_second_request_that_lost_and_is_not_answered_keeps_its_slot_until_the_timeout() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    lane.pass(TIMEOUT_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    second.answer(rows(7));
  }

  @Test
  void a_read_that_an_operator_ends_frees_both_slots_at_once() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    Objects.requireNonNull(asked.exchange).end("not now");
    lane.runSoon();
    assertThat(asked.answers).hasSize(1);
    assertThat(slots()).isZero();
    assertThat(counted("failed")).isEqualTo(1);
    first.answer(rows(1));
    second.answer(rows(7));
  }

  @Test
  void when_every_node_dies_the_read_fails_once() {
    learn();
    Asked asked = read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    sentTo(2).ignore();
    nodes.dies(1);
    lane.runSoon();
    sentTo(3).ignore();
    nodes.dies(3);
    lane.runSoon();
    assertThat(asked.said()).as("while the second request is in flight").isEqualTo("nothing");
    nodes.dies(2);
    lane.runSoon();
    assertThat(asked.answers).hasSize(1);
    assertThat(Answers.errorCode(asked.answers.get(0))).isNotNegative();
    assertThat(counted("failed")).isEqualTo(1);
    assertThat(slots()).isZero();
  }

  private static List<String> steps(Frame analysis) {
    return TestRows.read(analysis).cells().stream()
        .map(row -> StandardCharsets.UTF_8.decode(row.get(0).duplicate()).toString())
        .toList();
  }

  @Test
  void explain_analyze_shows_both_requests_of_a_hedged_read() {
    learn();
    Asked won = read(frame("EXPLAIN ANALYZE " + READ, ONE, false));
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    assertThat(steps(won.answers.get(0))).containsExactly("hedge", "read", "total");
    first.answer(rows(1));

    Asked lost = read(frame("EXPLAIN ANALYZE " + READ, ONE, false));
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(steps(lost.answers.get(0))).containsExactly("read", "hedge", "total");
    second.answer(rows(7));
  }
}
