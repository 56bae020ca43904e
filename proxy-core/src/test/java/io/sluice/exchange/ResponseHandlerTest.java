package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what an answer changes before its client gets it. */
class ResponseHandlerTest extends ExchangeFixture {

  private Asked answered(Frame request, Frame answer) {
    Asked asked = forward(request);
    sentTo(1).answer(answer);
    return asked;
  }

  private Asked answered(String cql, Frame answer) {
    return answered(CqlCodec.query(4, cql), answer);
  }

  @Test
  void a_request_is_counted_by_its_shape_with_its_time_and_the_error_of_its_node() {
    forward(WRITE);
    lane.pass(30);
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    var writes = registry.get("sluice.requests").tag("shape", "write").timer();
    assertThat(writes.count()).isEqualTo(1);
    assertThat(writes.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
    assertThat(errors("node", "overloaded")).isEqualTo(1);
    assertThat(errors("proxy", "overloaded")).isZero();
    answered(CqlCodec.prepare(4, WRITE, null), CqlCodec.error(4, ErrorCode.INVALID, "no"));
    assertThat(registry.get("sluice.prepares").timer().count()).isEqualTo(1);
    assertThat(writes.count()).isEqualTo(1);
  }

  @Test
  void a_request_that_no_node_has_answered_is_counted_with_the_time_that_its_client_waited() {
    Asked asked = forward(WRITE);
    lane.pass(context.requestTimeoutNanos() / 1_000_000);
    lane.runSoon();
    assertThat(asked.said()).isEqualTo("1100");
    var writes = registry.get("sluice.requests").tag("shape", "write").timer();
    assertThat(writes.count()).isEqualTo(1);
    assertThat(writes.totalTime(TimeUnit.NANOSECONDS))
        .isEqualTo((double) context.requestTimeoutNanos());
    assertThat(errors("proxy", "write_timeout")).isEqualTo(1);
  }

  @Test
  void only_a_use_that_has_succeeded_changes_the_keyspace_of_the_client() {
    answered("USE ks", CqlCodec.error(4, ErrorCode.INVALID, "no such keyspace"));
    assertThat(client.keyspace()).isNull();
    assertThat(answered("USE ks", TestFrames.used(4, "ks")).said()).isEqualTo("opcode 8");
    assertThat(client.keyspace()).isEqualTo("ks");
    answered(WRITE, TestFrames.used(4, "other"));
    assertThat(client.keyspace()).isEqualTo("ks");
  }

  @Test
  void a_prepared_statement_can_be_executed_from_its_answer_on() throws Exception {
    Frame execute = TestFrames.of("04 00 0000 0a 00000006 0001 78 0001 00");
    Frame prepared = TestFrames.prepared(4, TestFrames.id("x"), "v");
    assertThat(answered(CqlCodec.prepare(4, READ, null), prepared).said()).isEqualTo("opcode 8");
    assertThat(statement(execute).cql()).isEqualTo(READ);
    execute.release();
  }

  /** A client would prepare it again and again. */
  @Test
  void a_prepared_statement_that_is_too_long_to_be_kept_is_an_error() {
    String cql = "SELECT v FROM ks.t /* " + "x".repeat(600_000) + " */";
    Frame prepared = TestFrames.prepared(4, TestFrames.id("x"), "v");
    Asked asked = answered(CqlCodec.prepare(4, cql, null), prepared);
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words())
        .startsWith("Prepared statement of " + cql.length() + " characters needs more than");
    assertThat(TestFrames.isReleased(prepared)).isTrue();
  }

  /** Drivers use a new table at once, on any node. */
  @ParameterizedTest
  @ValueSource(strings = {"CREATE KEYSPACE made", "what is this"})
  void a_schema_change_is_answered_after_the_wait_for_schema_agreement(String cql) {
    List<Integer> before = new ArrayList<>();
    List<Asked> changes = new ArrayList<>();
    cluster.beforeAgreement(() -> before.add(changes.get(0).answers.size()));
    changes.add(forward(cql));
    sentTo(1).answer(TestFrames.created(4, "made"));
    assertThat(before).containsExactly(0);
    assertThat(changes.get(0).said()).isEqualTo("opcode 8");
  }

  @Test
  void only_a_schema_change_that_has_succeeded_waits_for_schema_agreement() {
    List<String> waits = new ArrayList<>();
    cluster.beforeAgreement(() -> waits.add("asked"));
    answered("CREATE KEYSPACE made", CqlCodec.done(4));
    answered("CREATE KEYSPACE made", CqlCodec.error(4, ErrorCode.INVALID, "no"));
    answered("what is this", rows(1));
    assertThat(waits).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true, true, 1", "false, true, 2", "true, false, 1", "false, false, 1"})
  void the_node_of_a_change_comes_first_until_the_nodes_agree_or_the_client_is_gone(
      boolean agreed, boolean open, int next) {
    cluster.agrees(agreed);
    nodes.dies(1);
    Asked change = forward("CREATE KEYSPACE made");
    change.open = open;
    nodes.comesBack(1);
    sentTo(2).answer(TestFrames.created(4, "made"));
    forward("SELECT key FROM system.local");
    sentTo(next).answer(rows(1));
  }

  @Test
  void a_request_that_no_exchange_has_taken_over_is_released_and_answered_with_an_error() {
    Frame frame = CqlCodec.query(4, READ);
    Asked asked = new Asked(frame);
    ClientRequest request = new ClientRequest(frame, client, asked);
    context.answers().refuse(request, null, new StackOverflowError());
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words())
        .isEqualTo("Sluice failed to handle the request: java.lang.StackOverflowError");
    assertThat(TestFrames.isReleased(frame)).isTrue();
    assertThat(errors("fault", "server_error")).isEqualTo(1);
  }

  private Asked failed(Frame frame, Failure failure) {
    return ask(frame, (request, statement) -> exchanges.refused(request, statement, failure));
  }

  @ParameterizedTest
  @CsvSource({"0100, true", "2100, false", "2200, false"})
  void only_a_login_that_nodes_no_longer_accept_ends_the_session(String code, boolean ends) {
    Failure refused = new Failure.Refused(Integer.parseInt(code, 16), "no");
    Asked asked = failed(CqlCodec.query(4, READ), refused);
    assertThat(asked.said()).isEqualTo(code);
    assertThat(asked.words())
        .isEqualTo(
            ends
                ? "The cluster does not accept this connection's login any more, so Sluice closes"
                    + " it; connect again. The node says: no"
                : "no");
    assertThat(client.ended).isEqualTo(ends);
  }

  private void ownedBy(int replicas) {
    ClusterView view = cluster.view();
    Ring.Replicas owners =
        new Ring.Replicas(List.of(new Token.Murmur3(1)), List.of(ids().subList(0, replicas)));
    cluster.becomes(
        new ClusterView(
            new Ring(view.ring().partitioner(), "dc1", view.ring().nodes(), Map.of("ks", owners)),
            view.catalog(),
            Map.of(),
            Map.of()));
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 1", "2, 3, 2", "4, 1, 1", "4, 2, 2", "4, 3, 2", "5, 3, 3"})
  void an_unavailable_error_has_the_level_of_the_request_and_the_replicas_that_it_needs(
      int consistency, int replicas, int required) {
    ownedBy(replicas);
    Asked asked = failed(frame(READ, consistency, false), new Failure.Unreachable("no node"));
    assertThat(TestFrames.hex(asked.answers.get(0)))
        .endsWith("%04x%08x%08x".formatted(consistency, required, 0));
  }

  @Test
  void a_keyspace_of_unknown_replicas_needs_one() {
    Asked asked = failed(frame(READ, 4, false), new Failure.Unreachable("no node"));
    assertThat(TestFrames.hex(asked.answers.get(0))).endsWith("%04x%08x%08x".formatted(4, 1, 0));
  }
}
