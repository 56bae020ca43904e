package io.sluice;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.wire.CqlRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests requests under an operator's rule, on the whole path. */
class RulesExchangeTest {

  private static final String RANGE = "SELECT v FROM ks.t";

  private final PathFixture fixture = new PathFixture(2);
  private final CountDownLatch go = new CountDownLatch(1);

  @AfterEach
  void close() {
    go.countDown();
    fixture.close();
  }

  private static Rule.Match ranges() {
    return new Rule.Match(
        null, null, null, null, null, null, List.of(RuleClass.RANGE), null, null, null);
  }

  private void rule(Rule.@Nullable Action action, Rule.@Nullable Limits limits) {
    fixture.rules.change(
        List.of(new Rule("scans", ranges(), limits, null, action, null, "ask ops")));
  }

  private void nodesHold() {
    fixture.allDo(
        request -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return TestRequests.rows();
        });
  }

  private int waiting() {
    return fixture.rules.facts().get(0).waiting();
  }

  @Test
  void a_refused_statement_reaches_no_node_and_others_are_served() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    rule(Rule.Action.REFUSE, null);
    PathFixture.Asked asked = fixture.ask(TestRequests.query(RANGE));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).isEqualTo("Rule scans refuses this statement: ask ops");
    assertThat(fixture.heard()).isZero();
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("rows");
    assertThat(fixture.rules.facts().get(0).refusals()).isEqualTo(1);
  }

  @Test
  void a_statement_that_is_served_in_the_mode_observe_counts_as_no_refusal()
      throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    rule(Rule.Action.REFUSE, null);
    fixture.mode(Mode.OBSERVE);
    assertThat(fixture.ask(TestRequests.query(RANGE)).answer()).isEqualTo("rows");
    assertThat(fixture.rules.facts().get(0).matched()).isEqualTo(1);
    assertThat(fixture.rules.facts().get(0).refusals()).isZero();
  }

  @Test
  void a_request_over_a_limit_waits_until_the_other_has_ended() throws InterruptedException {
    nodesHold();
    rule(null, new Rule.Limits(1, null, null, null, Duration.ofSeconds(60)));
    PathFixture.Asked first = fixture.ask(TestRequests.query(RANGE));
    PathFixture.Asked second = fixture.ask(TestRequests.query(RANGE));
    Awaitility.await().until(() -> waiting() == 1 && fixture.heard() == 1);
    go.countDown();
    assertThat(first.answerMeanwhile()).isEqualTo("rows");
    assertThat(second.answerMeanwhile()).isEqualTo("rows");
    Awaitility.await()
        .until(() -> fixture.rules.facts().get(0).limits().get(0).used() == 0 && waiting() == 0);
  }

  @Test
  void a_request_that_waits_too_long_is_refused_with_the_rule_and_its_advice()
      throws InterruptedException {
    nodesHold();
    rule(null, new Rule.Limits(1, null, null, null, Duration.ofMillis(50)));
    PathFixture.Asked first = fixture.ask(TestRequests.query(RANGE));
    PathFixture.Asked second = fixture.ask(TestRequests.query(RANGE));
    assertThat(second.answerMeanwhile()).isEqualTo("1001");
    go.countDown();
    assertThat(first.answerMeanwhile()).isEqualTo("rows");
    assertThat(fixture.rules.facts().get(0).refusals()).isEqualTo(1);
  }

  private void answersBySlot(long millis) {
    fixture.allDo(
        request -> {
          try {
            Thread.sleep(millis);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return TestRequests.rows();
        });
  }

  @Test
  void a_client_gets_a_warning_after_a_long_wait() throws InterruptedException {
    answersBySlot(300);
    rule(null, new Rule.Limits(1, null, null, null, Duration.ofSeconds(60)));
    PathFixture.Asked first = fixture.ask(TestRequests.query(RANGE));
    PathFixture.Asked second = fixture.ask(TestRequests.query(RANGE));
    assertThat(first.warningsMeanwhile()).isEmpty();
    assertThat(second.warningsMeanwhile())
        .singleElement(as(STRING))
        .matches("Rule scans: this request has waited for its limits, for \\d+ ms");
  }

  @Test
  void a_capped_select_reaches_nodes_with_its_new_limit_and_its_client_gets_a_warning()
      throws InterruptedException {
    Queue<String> texts = new ConcurrentLinkedQueue<>();
    fixture.allDo(
        request -> {
          texts.add(((CqlRequest.Query) Objects.requireNonNull(CqlRequest.of(request))).cql());
          return TestRequests.rows();
        });
    Rule.Cap cap = new Rule.Cap(10, null);
    fixture.rules.change(
        List.of(new Rule("few", ranges(), null, null, null, null, "ask ops", cap, null)));
    assertThat(fixture.ask(TestRequests.query(RANGE)).warningsMeanwhile())
        .containsExactly("Rule few: LIMIT is 10, and no rows beyond it are returned; ask ops");
    assertThat(texts).containsExactly(RANGE + " LIMIT 10 ");
    assertThat(fixture.ask(TestRequests.read()).warningsMeanwhile()).isEmpty();
    assertThat(fixture.ask(TestRequests.query(RANGE)).answer()).isEqualTo("rows");
  }

  @Test
  void hints_are_followed_and_a_raise_without_a_rule_has_a_warning() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    String low = "/* sluice: priority=low */ " + RANGE;
    assertThat(fixture.ask(TestRequests.query(low)).warningsMeanwhile()).isEmpty();
    String high = "/* sluice: priority=high */ " + RANGE;
    assertThat(fixture.ask(TestRequests.query(high)).warningsMeanwhile())
        .containsExactly("No rule of Sluice lets this statement have priority=high (raise)");
    String other = "/* sluice: priority=best */ " + RANGE;
    assertThat(fixture.ask(TestRequests.query(other)).warningsMeanwhile())
        .containsExactly("Sluice does not know this priority: it may be low, normal or high");
    rule(Rule.Action.WARN, null);
    assertThat(fixture.ask(TestRequests.query(RANGE)).warningsMeanwhile())
        .containsExactly("Rule scans: ask ops");
  }

  @Test
  void a_waiting_request_ends_at_its_deadline_and_leaves_nothing_behind()
      throws InterruptedException {
    nodesHold();
    rule(null, new Rule.Limits(1, null, null, null, Duration.ofSeconds(60)));
    PathFixture.Asked first = fixture.ask(TestRequests.query(RANGE));
    PathFixture.Asked second = fixture.ask(TestRequests.query(RANGE));
    assertThat(second.answerMeanwhile()).isEqualTo("1200");
    assertThat(waiting()).isZero();
    assertThat(first.answerMeanwhile()).isEqualTo("1200");
    Awaitility.await().until(() -> fixture.rules.facts().get(0).limits().get(0).used() == 0);
  }
}
