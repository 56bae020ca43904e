package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.PriorityClass;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import io.sluice.trace.Tracer;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.trace.Tracer.TracedRequest.Step;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the trace of one request tells, under virtual time. */
class RequestTraceTest extends ExchangeFixture {

  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<String> begun = new ArrayList<>();
  private final List<TracedRequest> ended = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final Tracer all =
      traceparent -> {
        begun.add(String.valueOf(traceparent));
        return ended::add;
      };

  @AfterEach
  void release() {
    frames.forEach(Frame::release);
  }

  private @Nullable RequestTrace begin(Tracer tracer, Frame frame) {
    frames.add(frame);
    Statement statement = statement(frame);
    return RequestTrace.begin(
        tracer, lane, () -> cluster.view().ring(), unanswered(frame), statement, lane.nanoTime());
  }

  private RequestTrace begin(String cql) {
    return Objects.requireNonNull(begin(all, CqlCodec.query(4, cql)));
  }

  private TracedRequest only() {
    assertThat(ended).hasSize(1);
    return ended.get(0);
  }

  private Frame held(Frame frame) {
    frames.add(frame);
    return frame;
  }

  @Test
  void the_traceparent_of_the_client_reaches_the_tracer() {
    byte[] value = "00-abc".getBytes(StandardCharsets.UTF_8);
    assertThat(begin(all, TestFrames.traced(4, new Query(READ), "traceparent", value))).isNotNull();
    begin(READ);
    assertThat(begun).containsExactly("00-abc", "null");
  }

  @Test
  void a_request_that_is_not_sampled_has_no_trace() {
    assertThat(begin(traceparent -> null, CqlCodec.query(4, READ))).isNull();
  }

  @Test
  void the_tracer_is_not_asked_about_prepares_and_the_proxys_own_tables() {
    assertThat(begin(all, CqlCodec.prepare(4, READ, null))).isNull();
    assertThat(begin(all, CqlCodec.query(4, "EXPLAIN " + READ))).isNull();
    assertThat(begin(all, CqlCodec.query(4, "SELECT * FROM system_proxy.nodes"))).isNull();
    assertThat(begun).isEmpty();
  }

  @Test
  void a_forwarded_request_is_one_step_with_the_size_of_its_answer() {
    client.proven = Identity.plain("etl", "secret");
    long arrival = lane.nanoTime();
    RequestTrace trace = begin(WRITE);
    lane.pass(2);
    trace.forwarded(id(2));
    lane.pass(5);
    Frame answer = held(rows(3));
    trace.answered(answer, lane.nanoTime());

    TracedRequest request = only();
    assertThat(request.shape()).isEqualTo("write");
    assertThat(request.keyspace() + "." + request.table()).isEqualTo("ks.t");
    assertThat(request.text()).isEqualTo("INSERT INTO ks.t (k, v) VALUES (?, ...)");
    assertThat(request.role()).isEqualTo("etl");
    assertThat(request.client()).endsWith(":50000");
    assertThat(request.arrivalNanos()).isEqualTo(arrival);
    assertThat(request.endNanos()).isEqualTo(arrival + 7 * MS);
    assertThat(request.rows()).isEqualTo(3);
    assertThat(request.bytes()).isEqualTo(answer.length());
    assertThat(request.error()).isNull();
    assertThat(request.stepsLeftOut()).isZero();
    long sent = arrival + 2 * MS;
    assertThat(request.steps())
        .containsExactly(
            new Step(
                "forward",
                false,
                "n2:9042",
                "",
                sent,
                sent,
                sent + 5 * MS,
                3,
                answer.length(),
                ""));
  }

  @Test
  void a_node_whose_request_was_given_up_is_a_step_without_rows() {
    RequestTrace trace = begin(WRITE);
    trace.forwarded(id(1));
    lane.pass(3);
    trace.forwarded(id(2));
    trace.answered(held(CqlCodec.error(4, ErrorCode.OVERLOADED, "busy")), lane.nanoTime());
    assertThat(only().error()).isEqualTo("OVERLOADED");
    assertThat(only().steps()).extracting(Step::node).containsExactly("n1:9042", "n2:9042");
    assertThat(only().steps())
        .extracting(Step::note)
        .containsExactly(ReadTrace.GIVEN_UP, "OVERLOADED");
    Step first = only().steps().get(0);
    assertThat(first.endNanos() - first.sentNanos()).isEqualTo(3 * MS);
    assertThat(first.bytes()).isZero();
  }

  @Test
  void an_error_of_the_proxy_ends_the_step_in_flight() {
    RequestTrace trace = begin(WRITE);
    trace.forwarded(id(1));
    trace.failed(new Failure.Unknown("late"), lane.nanoTime());
    assertThat(only().error()).isEqualTo("WRITE_TIMEOUT");
    assertThat(only().bytes()).isZero();
    assertThat(only().text()).startsWith("INSERT INTO");
    assertThat(only().steps()).extracting(Step::note).containsExactly(ReadTrace.GIVEN_UP);
  }

  @Test
  void a_request_that_reached_no_node_has_no_steps() {
    begin(READ).failed(new Failure.Overloaded("busy"), lane.nanoTime());
    assertThat(only().error()).isEqualTo("OVERLOADED");
    assertThat(only().steps()).isEmpty();
  }

  /** It may be anything, such as a password. */
  @Test
  void a_text_that_neither_a_node_nor_the_proxy_has_understood_is_left_out() {
    begin("what is this")
        .answered(held(CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "no")), lane.nanoTime());
    begin("SELECT 'open").failed(new Failure.Overloaded("busy"), lane.nanoTime());
    begin(READ).answered(held(CqlCodec.error(4, ErrorCode.INVALID, "no")), lane.nanoTime());
    assertThat(ended)
        .extracting(TracedRequest::text)
        .containsExactly(null, null, "SELECT v FROM ks.t WHERE k = ?");
  }

  @Test
  void a_long_text_is_cut() {
    begin("SELECT " + "v, ".repeat(500) + "k FROM ks.t WHERE k = 1")
        .failed(new Failure.Overloaded("busy"), lane.nanoTime());
    assertThat(only().text()).startsWith("SELECT v, v, ").hasSizeBetween(1_000, 1_010);
  }

  @Test
  void an_answer_that_cannot_be_read_counts_no_rows() {
    RequestTrace trace = begin(READ);
    Frame broken = held(TestFrames.of("84 00 0000 08 00000008 00000002 00000001"));
    trace.answered(broken, lane.nanoTime());
    assertThat(only().rows()).isZero();
    assertThat(only().bytes()).isEqualTo(broken.length());
  }

  @ParameterizedTest
  @ValueSource(ints = {RequestTrace.MAX_STEPS, RequestTrace.MAX_STEPS + 1, 250})
  void a_hundred_nodes_are_listed_at_most_and_the_others_are_counted(int forwards) {
    RequestTrace trace = begin(WRITE);
    for (int i = 0; i < forwards; i++) {
      trace.forwarded(id(1));
    }
    trace.answered(held(rows(1)), lane.nanoTime());
    assertThat(only().steps()).hasSize(RequestTrace.MAX_STEPS);
    assertThat(only().stepsLeftOut()).isEqualTo(forwards - RequestTrace.MAX_STEPS);
  }

  @Test
  void a_node_that_has_left_the_cluster_is_named_by_its_id() {
    RequestTrace trace = begin(WRITE);
    trace.forwarded(id(9));
    trace.answered(held(rows(1)), lane.nanoTime());
    assertThat(only().steps().get(0).node()).isEqualTo(id(9).toString());
  }

  @Test
  void a_read_that_fails_over_is_a_step_at_each_node() {
    tracer = all;
    read(PriorityClass.POINT);
    lane.pass(4);
    diesWithRequest(1);
    lane.pass(6);
    sentTo(2).answer(rows(2));
    List<Step> steps = only().steps();
    assertThat(steps).extracting(Step::name).containsExactly("read", "read");
    assertThat(steps).extracting(Step::node).containsExactly("n1:9042", "n2:9042");
    assertThat(steps).extracting(Step::note).containsExactly(ReadTrace.GIVEN_UP, "");
    assertThat(steps).extracting(Step::piece).containsOnly(false);
    assertThat(steps.get(1).rows()).isEqualTo(2);
    assertThat(steps.get(1).endNanos() - steps.get(1).sentNanos()).isEqualTo(6 * MS);
  }

  @Test
  void an_explained_read_that_runs_has_the_same_steps_as_its_explanation() {
    tracer = all;
    read(CqlCodec.query(4, "EXPLAIN ANALYZE " + READ), PriorityClass.POINT, ids());
    sentTo(1).answer(rows(2));
    assertThat(only().steps()).extracting(Step::name).containsExactly("read");
  }

  @Test
  void an_exchange_that_takes_a_request_over_continues_its_trace() {
    tracer = all;
    own(WRITE, own -> own.handOverTo(next(own)));
    sentTo(1).answer(CqlCodec.done(4));
    assertThat(begun).hasSize(1);
    assertThat(only().steps()).extracting(Step::name).containsExactly("forward");
  }
}
