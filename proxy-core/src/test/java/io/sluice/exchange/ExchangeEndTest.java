package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.execute.reply.Failure;
import io.sluice.usage.StatementFacts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the end of a request: its one answer, and what is counted, logged and given back. */
class ExchangeEndTest extends ExchangeFixture {

  private final Logger audit = (Logger) org.slf4j.LoggerFactory.getLogger("io.sluice.audit");
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void followAudit() {
    log.start();
    audit.setLevel(Level.INFO);
    audit.setAdditive(false);
    audit.addAppender(log);
  }

  @AfterEach
  void leaveAudit() {
    audit.detachAppender(log);
  }

  private Asked refused(String cql, Failure failure) {
    return ask(
        CqlCodec.query(4, cql),
        (request, statement) -> exchanges.refused(request, statement, failure));
  }

  private static Failure failure(String kind) {
    return switch (kind) {
      case "overloaded" -> new Failure.Overloaded("why");
      case "unreachable" -> new Failure.Unreachable("why");
      case "unknown" -> new Failure.Unknown("why");
      case "refused" -> new Failure.Refused(ErrorCode.INVALID, "why");
      default -> new Failure.Internal("why");
    };
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded,  1001, proxy, overloaded,   true",
    "refused,     2200, proxy, invalid,      true",
    "unreachable, 1000, proxy, unavailable,  false",
    "unknown,     1200, proxy, read_timeout, false",
    "internal,    0000, fault, server_error, false"
  })
  void a_failure_of_a_read_has_its_code_its_count_and_is_logged_if_it_is_a_refusal(
      String kind, String code, String origin, String error, boolean logged) {
    Asked asked = refused(READ, failure(kind));
    assertThat(asked.said()).isEqualTo(code);
    assertThat(asked.words()).isEqualTo("why");
    assertThat(errors(origin, error)).isEqualTo(1);
    assertThat(log.list).hasSize(logged ? 1 : 0);
    assertThat(lane.scheduled()).as("timers").isZero();
    sentNoneTo(1, 2, 3);
  }

  private StatementFacts usage() {
    List<StatementFacts> all = new ArrayList<>();
    context.usage().statements(lane, all::addAll);
    lane.runSoon();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void only_the_first_of_several_answers_reaches_the_client_and_the_others_are_released() {
    Frame first = rows(1);
    Frame second = rows(2);
    List<OwnExchange> ended = new ArrayList<>();
    Asked asked =
        own(
            READ,
            own -> {
              ended.add(own);
              own.answer(first);
              own.answer(second);
              own.fail(new Failure.Overloaded("late"));
              own.end(new Failure.Overloaded("later"));
              own.end("latest");
            });
    assertThat(asked.said()).isEqualTo(said(1));
    assertThat(TestFrames.isReleased(second)).isTrue();
    assertThat(usage().cost().calls()).isEqualTo(1);
    assertThat(errors("proxy", "overloaded")).isZero();
    assertThat(ended.get(0).ends).isEqualTo(1);
    assertThat(log.list).isEmpty();
  }

  private static String inList(int literals) {
    return "SELECT v FROM ks.t WHERE v IN (1" + ",1".repeat(literals - 1) + ") ALLOW FILTERING";
  }

  /** Two bytes of a frame become more than a hundred in the heap. */
  @Test
  void the_memory_of_a_parsed_statement_counts_until_the_answer() {
    for (int i = 1; i <= 3; i++) {
      forward(inList(10_000));
      assertThat(client.buffered).isBetween(i * 1_120_000L, i * 1_500_000L);
    }
    for (int i = 0; i < 3; i++) {
      sentTo(1).answer(rows(1));
      lane.runSoon();
    }
    assertThat(client.buffered).isZero();
  }

  @Test
  void an_exchange_that_goes_on_as_another_counts_its_statement_once() {
    own(inList(10_000), own -> own.handOverTo(next(own)));
    assertThat(client.buffered).isBetween(1_120_000L, 1_500_000L);
    sentTo(1).answer(rows(1));
    lane.runSoon();
    assertThat(client.buffered).isZero();
  }

  @Test
  void the_names_of_values_count() {
    Map<String, ByteBuffer> named = new HashMap<>();
    IntStream.range(0, 10_000).forEach(i -> named.put("n" + i, ByteBuffer.allocate(1)));
    QueryOptions options =
        new QueryOptions(
            ONE, List.of(), named, false, -1, null, 9, Long.MIN_VALUE, null, Integer.MIN_VALUE);
    forward(TestFrames.request(4, 0, new Query(READ, options)));
    assertThat(client.buffered).isBetween(1_000_000L, 1_100_000L);
    sentTo(1).answer(rows(1));
    lane.runSoon();
    assertThat(client.buffered).isZero();
  }

  @Test
  void a_usual_statement_is_too_small_to_count() {
    forward(WRITE);
    assertThat(client.buffered).isZero();
    sentTo(1).answer(rows(1));
    lane.runSoon();
  }

  @Test
  void an_error_after_the_answer_is_not_given_and_releases_nothing_twice() {
    Asked asked = own(READ, own -> own.fail(new Failure.Overloaded("first")));
    asked.exchange().guarded(() -> assertThat(asked.exchange().isOver()).isTrue());
    assertThat(asked.words()).isEqualTo("first");
    Frame late = rows(1);
    asked.exchange().answer(late);
    assertThat(TestFrames.isReleased(late)).isTrue();
  }

  @Test
  void an_answer_that_cannot_be_handled_is_released_and_an_error() {
    Frame broken = TestFrames.of("84 00 0000 08 00000000");
    Asked asked = own("USE ks", own -> own.answer(broken));
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).startsWith("Sluice failed to handle the request: ");
    assertThat(TestFrames.isReleased(broken)).isTrue();
    assertThat(client.keyspace()).isNull();
  }

  @Test
  void an_exception_of_a_step_gives_up_and_is_the_error_of_the_request() {
    List<String> steps = new ArrayList<>();
    Asked asked =
        own(
            READ,
            own -> {
              own.givingUp = () -> steps.add("gave up");
              throw new IllegalStateException("not so");
            });
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words())
        .isEqualTo("Sluice failed to handle the request: java.lang.IllegalStateException: not so");
    assertThat(steps).containsExactly("gave up");
  }

  @Test
  void an_exception_while_attempts_are_given_up_leaves_no_request_without_an_answer() {
    Asked asked =
        own(
            READ,
            own ->
                own.givingUp =
                    () -> {
                      throw new IllegalStateException("not so");
                    });
    assertThatThrownBy(() -> asked.exchange().end("not now"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(asked.said()).isEqualTo("2200");
    Asked late = own(READ, own -> own.givingUp = () -> Integer.parseInt("x"));
    assertThatThrownBy(() -> lane.pass(2_000)).isInstanceOf(NumberFormatException.class);
    assertThat(late.said()).isEqualTo("1200");
  }

  /** The receiver of a trace is not the proxy's own. */
  private void tracesThrow(Throwable thrown) {
    tracer =
        traceparent ->
            request -> {
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            };
  }

  @Test
  void a_failed_request_whose_trace_cannot_be_reported_has_its_error_nevertheless() {
    for (Throwable thrown : List.of(new IllegalStateException("x"), new AssertionError("x"))) {
      tracesThrow(thrown);
      Asked asked = refused(READ, new Failure.Overloaded("why"));
      assertThat(asked.said()).isEqualTo("1001");
      assertThat(asked.words()).isEqualTo("why");
    }
    assertThat(log.list).as("lines of refusals").hasSize(2);
  }

  @Test
  void an_answer_whose_trace_cannot_be_reported_is_released_and_an_error() {
    for (Throwable thrown : List.of(new IllegalStateException("x"), new AssertionError("x"))) {
      tracesThrow(thrown);
      Frame answer = rows(1);
      Asked asked = own(READ, own -> own.answer(answer));
      assertThat(asked.said()).isEqualTo("0000");
      assertThat(asked.words()).endsWith(thrown.toString());
      assertThat(TestFrames.isReleased(answer)).isTrue();
    }
  }

  @Test
  void an_exchange_that_hands_the_request_over_gives_no_answer_and_counts_nothing() {
    List<OwnExchange> first = new ArrayList<>();
    Asked asked =
        own(
            WRITE,
            own -> {
              first.add(own);
              own.handOverTo(next(own));
            });
    assertThat(asked.answers).isEmpty();
    assertThat(TestFrames.isReleased(asked.request)).isFalse();
    assertThat(first.get(0).isOver()).isTrue();
    assertThat(first.get(0).ends).isEqualTo(1);
    assertThat(running()).hasSize(1);
    lane.pass(2_000);
    assertThat(asked.said()).as("after the deadline of the first exchange").isEqualTo("nothing");
    sentTo(1).answer(CqlCodec.done(4));
    assertThat(asked.said()).isEqualTo("opcode 8");
    assertThat(usage().cost().calls()).isEqualTo(1);
  }

  @Test
  void a_request_is_not_handed_over_after_its_end() {
    List<Exchange> begun = new ArrayList<>();
    Asked asked =
        own(
            WRITE,
            own -> {
              own.fail(new Failure.Unknown("over"));
              own.handOverTo(new OwnExchange(context, own.request(), own.statement(), begun::add));
            });
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(begun).isEmpty();
  }

  @Test
  void an_exchange_whose_caller_answers_ends_once_and_counts_nothing() {
    Frame answer = rows(1);
    List<Boolean> ends = new ArrayList<>();
    own(
        READ,
        own -> {
          ends.add(own.endUncounted());
          ends.add(own.endUncounted());
          own.request().replyTo().reply(answer);
        });
    assertThat(ends).containsExactly(true, false);
    List<StatementFacts> counted = new ArrayList<>();
    context.usage().statements(lane, counted::addAll);
    assertThat(counted).isEmpty();
  }
}
