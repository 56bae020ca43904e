package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.link.MemoryNodes;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.usage.StatementFacts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests the records of a request: its description in flight, its cost, its trace, its refusal. */
class RunningRequestTest extends ExchangeFixture {

  private StatementFacts usage() {
    List<StatementFacts> all = new ArrayList<>();
    context.usage().statements(lane, all::addAll);
    lane.runSoon();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void a_request_in_flight_is_described_by_its_client_its_table_and_its_age() {
    client.proven = Identity.plain("etl", "secret");
    client.numbered(7);
    Asked asked = forward(WRITE);
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(40);
    RequestFacts facts = running().get(0);
    assertThat(facts.id()).isPositive();
    assertThat(facts.caller().number()).isEqualTo(7);
    assertThat(facts.caller().role()).isEqualTo("etl");
    assertThat(facts.keyspace() + "." + facts.table()).isEqualTo("ks.t");
    assertThat(facts.shape()).isEqualTo("write");
    assertThat(facts.nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
    assertThat(facts.waitedNanos()).isZero();
    assertThat(facts.progress()).isEqualTo(RequestFacts.Progress.SENT);
    sent.answer(CqlCodec.done(4));
    assertThat(asked.said()).isEqualTo("opcode 8");
    assertThat(running()).isEmpty();
  }

  @Test
  void a_request_is_counted_for_its_role_with_its_time_and_its_rows() {
    client.proven = Identity.plain("etl", "secret");
    forward("SELECT key FROM system.local");
    lane.pass(30);
    sentTo(1).answer(rows(5));
    StatementFacts facts = usage();
    assertThat(facts.role()).isEqualTo("etl");
    assertThat(facts.shape()).isEqualTo("system_local");
    assertThat(facts.cost().calls()).isEqualTo(1);
    assertThat(facts.cost().nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
    assertThat(facts.cost().queuedNanos()).isZero();
    assertThat(facts.cost().rows()).isEqualTo(5);
    assertThat(facts.cost().errors()).isZero();
  }

  @Test
  void a_failed_request_is_counted_with_its_error_and_its_origin() {
    forward(WRITE);
    lane.pass(20);
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(usage().cost().wasLastByNode()).isTrue();
    forward(WRITE);
    lane.pass(10);
    diesWithRequest(1);
    StatementFacts facts = usage();
    assertThat(facts.cost().calls()).isEqualTo(2);
    assertThat(facts.cost().errors()).isEqualTo(2);
    assertThat(facts.cost().lastError()).isEqualTo(ErrorCode.WRITE_TIMEOUT);
    assertThat(facts.cost().wasLastByNode()).isFalse();
    assertThat(facts.cost().nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
  }

  @Test
  void an_exchange_that_goes_on_with_a_request_continues_its_trace() {
    List<TracedRequest> ended = new ArrayList<>();
    List<String> begun = new ArrayList<>();
    tracer =
        traceparent -> {
          begun.add("begun");
          return ended::add;
        };
    own(WRITE, own -> own.handOverTo(next(own)));
    sentTo(1).answer(CqlCodec.done(4));
    assertThat(begun).hasSize(1);
    assertThat(ended).hasSize(1);
    assertThat(ended.get(0).steps()).hasSize(1);
  }

  @Test
  void a_request_that_is_not_sampled_is_not_sampled_again_by_the_next_exchange() {
    List<String> begun = new ArrayList<>();
    tracer =
        traceparent -> {
          begun.add("begun");
          return null;
        };
    Asked asked = own(WRITE, own -> own.handOverTo(next(own)));
    assertThat(begun).hasSize(1);
    assertThat(asked.exchange().trace()).isNull();
    sentTo(1).answer(CqlCodec.done(4));
  }

  @Test
  void a_refusal_is_logged_with_its_client_and_its_reason_and_a_timeout_is_not() {
    Logger audit = (Logger) LoggerFactory.getLogger("io.sluice.audit");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    audit.setLevel(Level.INFO);
    audit.setAdditive(false);
    audit.addAppender(log);
    client.proven = Identity.plain("etl", "secret");
    own(WRITE, own -> own.fail(new Failure.Overloaded("too much")));
    own(WRITE, own -> own.fail(new Failure.Unknown("too slow")));
    audit.detachAppender(log);
    assertThat(log.list).hasSize(1);
    assertThat(log.list.get(0).getFormattedMessage())
        .contains(
            "\"event\": \"refused\", \"role\": \"etl\"",
            "\"class\": \"write\", \"keyspace\": \"ks\", \"table\": \"t\"",
            "\"error\": \"OVERLOADED\", \"reason\": \"too much\"");
  }
}
