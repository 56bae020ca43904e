package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.link.LinkFailure;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which nodes get a request that waits in no queue, and what its client gets. */
class ForwardExchangeTest extends ExchangeFixture {

  /** A node may get it after another one has begun it. */
  private static final String IDEMPOTENT = "SELECT key FROM system.local";

  private static Frame done() {
    return CqlCodec.done(4);
  }

  private static String text(MemoryNodes.Asked sent) {
    return ((CqlRequest.Query) CqlRequest.of(sent.request())).cql();
  }

  @Test
  void the_first_healthy_node_gets_the_request_and_its_answer_is_the_answer() {
    health.suspect(id(1), true);
    Asked asked = forward(WRITE);
    sentNoneTo(1, 3);
    sentTo(2).answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");
    assertThat(lane.scheduled()).as("timers").isZero();
    health.suspect(id(1), false);
  }

  @Test
  void an_error_of_a_node_is_the_answer_of_any_request() {
    for (String cql : List.of(WRITE, IDEMPOTENT)) {
      Asked asked = forward(cql);
      sentTo(1).answer(CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
      assertThat(asked.said()).isEqualTo("1001");
      assertThat(asked.words()).isEqualTo("busy");
      sentNoneTo(2);
    }
    assertThat(errors("node", "overloaded")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITE, IDEMPOTENT, "TRUNCATE ks.t"})
  void a_request_that_was_not_sent_goes_to_the_next_node(String cql) {
    nodes.dies(1);
    nodes.dies(2);
    Asked asked = forward(cql);
    MemoryNodes.Asked sent = sentTo(3);
    assertThat(text(sent)).isEqualTo(cql);
    sent.answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");
  }

  @Test
  void an_idempotent_request_goes_to_the_next_node_unchanged_when_its_node_is_lost() {
    Asked asked = forward(IDEMPOTENT);
    diesWithRequest(1);
    MemoryNodes.Asked second = sentTo(2);
    assertThat(text(second)).isEqualTo(IDEMPOTENT);
    second.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    sentNoneTo(3);
  }

  @Test
  void a_prepare_of_a_write_changes_nothing_and_goes_to_the_next_node() {
    Asked asked = forward(CqlCodec.prepare(4, WRITE, null));
    diesWithRequest(1);
    sentTo(2).answer(CqlCodec.error(4, ErrorCode.INVALID, "no"));
    assertThat(asked.said()).isEqualTo("2200");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        WRITE + "|1100",
        "INSERT INTO ks.t (k, v) VALUES (1, 2) IF NOT EXISTS|1100",
        "TRUNCATE ks.t|1003",
        "CREATE INDEX i ON ks.t (v)|1100",
        "what is this|1100"
      })
  void a_request_that_may_have_taken_effect_is_not_sent_again(String cql, String code) {
    Asked asked = forward(cql);
    diesWithRequest(1);
    assertThat(asked.said()).isEqualTo(code);
    assertThat(asked.words())
        .isEqualTo("The node was lost before it answered: the node closed the connection");
    sentNoneTo(2, 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {WRITE + "|1000", IDEMPOTENT + "|0000", "TRUNCATE ks.t|0000"})
  void without_a_reachable_node_the_last_reason_is_the_answer(String cql, String code) {
    List.of(1, 2, 3).forEach(nodes::dies);
    Asked asked = forward(cql);
    assertThat(asked.said()).isEqualTo(code);
    assertThat(asked.words()).isEqualTo("No node could be reached: " + id(3) + " is down");
  }

  @Test
  void an_idempotent_request_whose_last_node_is_lost_has_an_unknown_outcome() {
    Asked asked = forward(IDEMPOTENT, id(1));
    diesWithRequest(1);
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).startsWith("The node was lost before it answered");
  }

  @Test
  void a_node_that_has_left_the_cluster_is_passed_over() {
    cluster.becomes(view(3));
    Asked asked = forward(WRITE);
    sentTo(3).answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");

    Asked gone = forward(WRITE, id(1));
    assertThat(gone.said()).isEqualTo("1000");
    assertThat(gone.words())
        .isEqualTo("No node could be reached: node " + id(1) + " has left the cluster");
  }

  private static LinkFailure unknownKeyspace(int node) {
    return new LinkFailure(ErrorCode.INVALID, "Keyspace 'a' does not exist at " + node);
  }

  @Test
  void a_keyspace_that_a_node_does_not_know_yet_is_asked_of_one_other_node() {
    nodes.refuses(1, unknownKeyspace(1));
    Asked asked = forward(WRITE);
    sentTo(2).answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");

    nodes.refuses(2, unknownKeyspace(2));
    Asked refused = forward(WRITE);
    assertThat(refused.said()).isEqualTo("2200");
    assertThat(refused.words()).isEqualTo("Keyspace 'a' does not exist at 2");
    sentNoneTo(3);
  }

  @Test
  void a_keyspace_that_the_only_node_does_not_know_is_its_error() {
    nodes.refuses(1, unknownKeyspace(1));
    assertThat(forward(WRITE, id(1)).said()).isEqualTo("2200");
  }

  @Test
  void a_node_that_does_not_know_the_keyspace_leaves_the_later_loss_of_another_harmless() {
    nodes.refuses(1, unknownKeyspace(1));
    nodes.dies(2);
    Asked asked = forward(WRITE);
    sentTo(3).answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");
  }

  @Test
  void credentials_that_a_node_refuses_are_asked_of_no_other_and_end_the_session() {
    nodes.refuses(1, new LinkFailure(ErrorCode.BAD_CREDENTIALS, "incorrect"));
    Asked asked = forward(IDEMPOTENT);
    assertThat(asked.said()).isEqualTo("0100");
    assertThat(asked.words()).contains("closes it").endsWith("The node says: incorrect");
    assertThat(client.ended).isTrue();
    sentNoneTo(2);
  }

  @Test
  void an_idempotent_request_goes_to_the_next_node_when_its_node_is_silent() {
    Asked asked = forward(IDEMPOTENT);
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    MemoryNodes.Asked second = sentTo(2);
    Frame late = rows(7);
    first.answer(late);
    assertThat(asked.said()).as("the answer of a node that was given up").isEqualTo("nothing");
    assertThat(TestFrames.isReleased(late)).isTrue();
    second.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
  }

  @Test
  void a_write_waits_for_the_silent_node_that_may_have_begun_it() {
    Asked asked = forward(WRITE);
    MemoryNodes.Asked sent = sentTo(1);
    nodes.isSilent(1);
    sentNoneTo(2, 3);
    sent.answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");
  }

  @Test
  void a_write_goes_to_the_next_node_when_its_node_accepts_no_connection() {
    nodes.acceptsNothing(1);
    Asked asked = forward(WRITE);
    sentNoneTo(2);
    nodes.isSilent(1);
    sentTo(2).answer(done());
    assertThat(asked.said()).isEqualTo("opcode 8");
  }

  @Test
  void the_last_node_may_be_silent_and_answer_late() {
    Asked asked = forward(IDEMPOTENT, id(1));
    MemoryNodes.Asked sent = sentTo(1);
    nodes.isSilent(1);
    nodes.isSilent(1);
    sent.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
  }

  @Test
  void a_request_that_no_node_answers_ends_at_its_deadline() {
    Asked asked = forward(WRITE);
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(11_999);
    assertThat(asked.said()).isEqualTo("nothing");
    lane.pass(1);
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(asked.words())
        .isEqualTo(
            "Operation timed out - received only 0 responses: no node answered within 12000 ms");
    assertThat(errors("proxy", "write_timeout")).isEqualTo(1);
    sent.ignore();
  }

  @Test
  void a_request_ends_at_its_first_deadline_whichever_node_has_it() {
    Asked asked = forward(IDEMPOTENT);
    lane.pass(11_000);
    diesWithRequest(1);
    MemoryNodes.Asked second = sentTo(2);
    lane.pass(1_000);
    assertThat(asked.said()).isEqualTo("0000");
    second.answer(rows(1));
  }

  @Test
  void requests_after_a_schema_change_go_to_the_node_that_made_it_and_writes_do_not() {
    cluster.agrees(false);
    nodes.dies(1);
    Asked change = forward("CREATE KEYSPACE made");
    sentTo(2).answer(TestFrames.created(4, "made"));
    assertThat(change.said()).isEqualTo("opcode 8");
    nodes.comesBack(1);

    Asked read = forward(IDEMPOTENT);
    sentTo(2).answer(rows(1));
    assertThat(read.said()).isEqualTo(said(1));
    Asked prepare = forward(CqlCodec.prepare(4, WRITE, null));
    sentTo(2).answer(CqlCodec.error(4, ErrorCode.INVALID, "no"));
    assertThat(prepare.said()).isEqualTo("2200");
    Asked write = forward(WRITE);
    sentTo(1).answer(done());
    assertThat(write.said()).isEqualTo("opcode 8");
  }

  @Test
  void an_answer_that_cannot_be_read_is_an_error_of_its_request_only() {
    Asked asked = forward(IDEMPOTENT);
    Frame broken = TestFrames.of("84 00 0000 08 00000000");
    sentTo(1).answer(broken);
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).startsWith("Sluice failed to handle a node's answer: ");
    assertThat(TestFrames.isReleased(broken)).isTrue();
    assertThat(errors("fault", "server_error")).isEqualTo(1);

    Asked next = forward(IDEMPOTENT);
    sentTo(1).answer(rows(1));
    assertThat(next.said()).isEqualTo(said(1));
  }

  @Test
  void an_exception_at_the_begin_is_the_error_of_the_request() {
    Asked asked =
        ask(
            CqlCodec.query(4, WRITE),
            (request, statement) -> exchanges.forwarded(request, statement, List.of()));
    assertThat(asked.said()).as("what no driver repeats").isEqualTo("1100");
    assertThat(asked.words()).startsWith("Sluice failed to handle the request: ");
    assertThat(errors("fault", "write_timeout")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {WRITE + "|1100", IDEMPOTENT + "|2200"})
  void a_request_that_an_operator_ends_has_the_error_that_no_driver_repeats(
      String cql, String code) {
    Asked asked = forward(cql);
    MemoryNodes.Asked sent = sentTo(1);
    asked.exchange().end("not now");
    assertThat(asked.said()).isEqualTo(code);
    assertThat(asked.words()).isEqualTo("not now");
    asked.exchange().end("again");
    sent.answer(done());
  }

  /** The bytes of a request may still be on their way to the first node. */
  @Test
  void the_first_node_gets_the_bytes_of_the_client_and_the_next_one_a_copy() {
    Asked asked = forward(IDEMPOTENT);
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    MemoryNodes.Asked second = sentTo(2);
    asked.exchange().end("not now");
    assertThat(TestFrames.isReleased(asked.request)).isFalse();
    first.answer(rows(1));
    assertThat(TestFrames.isReleased(asked.request)).isTrue();
    assertThat(text(second)).isEqualTo(IDEMPOTENT);
    second.ignore();
  }
}
