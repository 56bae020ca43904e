package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.rule.Line;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.Action;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleFacts;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.execute.reply.Failure;
import io.sluice.link.MemoryNodes;
import io.sluice.testkit.Records;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests under a rule that lets one range read run at once. */
class RuledExchangeTest extends ExchangeFixture {

  private static final long RANGE_TIMEOUT_MILLIS = 10_000;

  RuledExchangeTest() {
    rules(Records.with(rule(), "limits", oneScan(Duration.ofSeconds(60))));
  }

  private void rules(Rule... all) {
    rules.change(List.of(all));
  }

  private static Rule.Limits oneScan(Duration maxWait) {
    return new Rule.Limits(1, null, null, null, maxWait);
  }

  private Asked scan() {
    return read(PriorityClass.RANGE, id(1));
  }

  private RuleFacts facts() {
    return rules.facts().get(0);
  }

  private double used() {
    return facts().limits().get(0).used();
  }

  private void isFree() {
    assertThat(facts().waiting()).as("requests that wait").isZero();
    assertThat(used()).as("places taken").isZero();
    assertThat(slots()).as("slots").isZero();
  }

  @Test
  void a_request_over_a_limit_begins_when_the_other_has_ended() {
    Asked first = scan();
    Asked second = scan();
    MemoryNodes.Asked sent = sentTo(1);
    sentNoneTo(1);
    assertThat(facts().waiting()).isEqualTo(1);
    sent.answer(rows(1));
    assertThat(first.said()).isEqualTo(said(1));
    sentTo(1).answer(rows(2));
    assertThat(second.said()).isEqualTo(said(2));
    isFree();
  }

  @Test
  void a_request_that_waits_for_a_limit_is_described_as_queued_since_its_arrival() {
    scan();
    MemoryNodes.Asked first = sentTo(1);
    forward(SCAN);
    lane.pass(70);
    RequestFacts waits = running().get(0);
    assertThat(waits.progress().state()).isEqualTo(State.QUEUED);
    assertThat(waits.nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(70));
    assertThat(waits.waitedNanos()).isEqualTo(waits.nanos());
    first.answer(rows(1));
    assertThat(running().get(0).progress().state()).isEqualTo(State.SENT);
    sentTo(1).answer(rows(1));
  }

  private static List<String> warnings(Asked asked) {
    return TestFrames.warnings(asked.answers.get(0));
  }

  @ParameterizedTest
  @CsvSource({"99, 0", "100, 1"})
  void a_client_is_warned_of_a_wait_of_a_tenth_of_a_second(long millis, int warnings) {
    Asked first = scan();
    Asked second = scan();
    lane.pass(millis);
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    assertThat(warnings(first)).isEmpty();
    assertThat(warnings(second)).hasSize(warnings);
  }

  @Test
  void a_client_is_warned_of_waits_once_a_second_behind_the_other_warnings() {
    rules(
        Records.with(
            rule(),
            "limits",
            oneScan(Duration.ofSeconds(60)),
            "action",
            Action.WARN,
            "message",
            "ask ops"));
    List<Asked> all = List.of(scan(), scan(), scan(), scan());
    lane.pass(150);
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    lane.pass(900);
    sentTo(1).answer(rows(1));
    lane.pass(100);
    sentTo(1).answer(rows(1));
    String wait = "Rule r: this request has waited for its limits, for %d ms";
    assertThat(warnings(all.get(0))).containsExactly("Rule r: ask ops");
    assertThat(warnings(all.get(1))).containsExactly("Rule r: ask ops", wait.formatted(150));
    assertThat(warnings(all.get(2))).containsExactly("Rule r: ask ops");
    assertThat(warnings(all.get(3))).containsExactly("Rule r: ask ops", wait.formatted(1_050));
  }

  @ParameterizedTest
  @ValueSource(strings = {"answer", "error", "loss", "deadline", "operator"})
  void the_place_is_given_back_however_the_request_ends(String end) {
    Asked asked = scan();
    Asked next = scan();
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(10);
    switch (end) {
      case "answer" -> sent.answer(rows(1));
      case "error" -> sent.answer(CqlCodec.error(4, ErrorCode.INVALID, "no"));
      case "loss" -> {
        sent.ignore();
        nodes.dies(1);
        nodes.comesBack(1);
        sentTo(2).answer(rows(1));
      }
      case "deadline" -> lane.pass(RANGE_TIMEOUT_MILLIS - 10);
      default -> asked.exchange().end("not now");
    }
    assertThat(asked.answers).hasSize(1);
    assertThat(facts().waiting()).isZero();
    if (end.equals("deadline")) {
      assertThat(next.said()).as("it came at the same time").isEqualTo("1200");
    } else {
      sentTo(1).answer(rows(2));
      assertThat(next.said()).isEqualTo(said(2));
    }
    isFree();
    if (end.equals("deadline") || end.equals("operator")) {
      sent.ignore();
    }
  }

  @Test
  void a_request_that_an_operator_ends_while_it_waits_gives_its_turn_up() {
    scan();
    Asked waits = scan();
    Asked next = scan();
    waits.exchange().end("not now");
    assertThat(waits.said()).isEqualTo("2200");
    assertThat(facts().waiting()).isEqualTo(1);
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(2));
    assertThat(next.said()).isEqualTo(said(2));
    sentNoneTo(1);
    isFree();
  }

  private RuleQuota quota() {
    List<RuleQuota> quotas = new ArrayList<>();
    own(
        SCAN,
        own -> {
          Ruling ruling = Objects.requireNonNull(own.statement().ruling());
          quotas.add(Objects.requireNonNull(ruling.quota()));
          own.end("not now");
        });
    return quotas.get(0);
  }

  @Test
  void a_request_that_waits_to_its_deadline_times_out_and_is_never_sent() {
    RuleQuota quota = quota();
    assertThat(quota.tryEnter(Line.RANGE_READS, lane.nanoTime())).isTrue();
    Asked waits = scan();
    lane.pass(RANGE_TIMEOUT_MILLIS);
    assertThat(waits.said()).isEqualTo("1200");
    quota.leave(Line.RANGE_READS, 0, lane.nanoTime());
    sentNoneTo(1);
    isFree();
  }

  private int refusals() {
    return registry.find("sluice.rule.refused").tag("limit", "range_reads").counters().stream()
        .mapToInt(counter -> (int) counter.count())
        .sum();
  }

  @Test
  void a_request_that_waits_longer_than_the_rule_allows_is_refused_and_counted() {
    rules(Records.with(rule(), "limits", oneScan(Duration.ofMillis(500)), "message", "read less"));
    scan();
    Asked waits = scan();
    lane.pass(500);
    assertThat(waits.said()).isEqualTo("1001");
    assertThat(waits.words())
        .isEqualTo(
            "Rule r: more was asked for than rangeReads allows for all its requests together;"
                + " read less");
    assertThat(refusals()).isEqualTo(1);
    assertThat(errors("proxy", "overloaded")).isEqualTo(1);
    waits.exchange().refused(Limit.RANGE_READS);
    assertThat(refusals()).as("refusals after the end").isEqualTo(1);
    sentTo(1).answer(rows(1));
    sentNoneTo(1);
    isFree();
  }

  @Test
  void rows_count_against_a_limit_of_rows_and_those_of_errors_do_not() {
    rules(Records.with(rule(), "limits", new Rule.Limits(null, null, 1_000, null, null)));
    scan();
    sentTo(1).answer(rows(7));
    scan();
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.INVALID, "no"));
    assertThat(facts().rows()).isEqualTo(7);
    rules(Records.with(rule(), "limits", oneScan(Duration.ofSeconds(60))));
    scan();
    sentTo(1).answer(rows(7));
    assertThat(facts().rows()).as("without the rows that no limit concerns").isEqualTo(7);
  }

  @Test
  void the_place_stays_taken_while_one_exchange_hands_the_request_to_another() {
    Asked asked = own(SCAN, own -> own.handOverTo(next(own)));
    assertThat(used()).isEqualTo(1);
    Asked next = scan();
    MemoryNodes.Asked sent = sentTo(1);
    assertThat(facts().waiting()).isEqualTo(1);
    sent.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    sentTo(1).answer(rows(2));
    assertThat(next.said()).isEqualTo(said(2));
    isFree();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "250   | 250   | ' (timeout of rule r)'",
        "9999  | 9999  | ' (timeout of rule r)'",
        "20000 | 10000 | ''"
      })
  void the_timeout_of_a_rule_ends_a_request_earlier_and_is_named(
      long rule, long millis, String source) {
    rules(Records.with(rule(), "timeout", Duration.ofMillis(rule)));
    Asked asked = scan();
    lane.pass(millis - 1);
    assertThat(asked.said()).isEqualTo("nothing");
    lane.pass(1);
    assertThat(asked.said()).isEqualTo("1200");
    assertThat(asked.words()).endsWith("no node answered within " + millis + " ms" + source);
    sentTo(1).ignore();
  }

  @Test
  void the_error_of_unreachable_nodes_names_the_data_centre_of_the_rule() {
    rules(rule().to("dc2"));
    assertThat(refused(new Failure.Unreachable("no node")).words())
        .isEqualTo("no node (data centre dc2 of rule r)");
    assertThat(refused(new Failure.Overloaded("busy")).words()).isEqualTo("busy");
    rules(rule());
    assertThat(refused(new Failure.Unreachable("no node")).words()).isEqualTo("no node");
  }

  private Asked refused(Failure failure) {
    return ask(
        CqlCodec.query(4, READ),
        (request, statement) -> exchanges.refused(request, statement, failure));
  }
}
