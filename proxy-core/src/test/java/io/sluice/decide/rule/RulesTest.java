package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.decide.rule.RuleQuota.Entrant;
import io.sluice.setting.RefusedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules while they change, connections, and what people are shown. */
class RulesTest {

  private static final Classified RANGE = TestRules.statement("SELECT v FROM shop.events");
  private static final Classified POINT =
      TestRules.statement("SELECT v FROM shop.events WHERE k = 1");

  private long now = 1;

  private Rules rules(Rule... rules) {
    return new Rules(List.of(rules), () -> now);
  }

  private static Rule analytics(int ranges) {
    return TestRules.rule(
        TestRules.match(List.of("analytics")), TestRules.limits(ranges, null, null));
  }

  private static RuleQuota quota(@Nullable Ruling ruling) {
    return Objects.requireNonNull(Objects.requireNonNull(ruling).quota());
  }

  @Test
  void a_changed_rule_holds_for_the_next_request_of_a_client_that_is_there() {
    Rules rules = rules(analytics(1));
    RuleSession session = rules.session(TestRules.role("analytics"));
    assertThat(rules.ruling(session, RANGE)).isNotNull();

    rules.change(List.of(TestRules.refusing(TestRules.ofClass(RuleClass.RANGE), "use the job")));

    assertThat(rules.ruling(session, RANGE))
        .isNotNull()
        .extracting(Ruling::refusal)
        .isEqualTo("Rule rules[0] refuses this statement: use the job");
    assertThat(rules.ruling(session, POINT)).isNull();
    rules.change(List.of());
    assertThat(rules.isEmpty()).isTrue();
    assertThat(rules.ruling(session, RANGE)).isNull();
  }

  @Test
  void a_rule_goes_on_counting_where_others_are_put_before_it() {
    Rules rules = rules(analytics(1));
    RuleSession session = rules.session(TestRules.role("analytics"));
    RuleQuota before = quota(rules.ruling(session, RANGE));
    assertThat(before.tryEnter(Line.RANGE_READS, now)).isTrue();

    rules.change(
        List.of(TestRules.rule(TestRules.match(List.of("etl")), Rule.Limits.NONE), analytics(2)));

    RuleQuota after = quota(rules.ruling(session, RANGE));
    assertThat(after).isSameAs(before);
    assertThat(after.tryEnter(Line.RANGE_READS, now)).isTrue();
    assertThat(after.tryEnter(Line.RANGE_READS, now)).as("the first one counts still").isFalse();
    RuleFacts facts = rules.facts().get(1);
    assertThat(facts.matched()).isEqualTo(2);
    assertThat(facts.limits()).containsExactly(new RuleFacts.LimitFacts(Limit.RANGE_READS, 2, 2));
  }

  @Test
  void what_waits_for_a_rule_that_is_gone_is_let_in() {
    Rules rules = rules(analytics(1));
    RuleQuota quota = quota(rules.ruling(rules.session(TestRules.role("analytics")), RANGE));
    quota.tryEnter(Line.RANGE_READS, now);
    List<String> told = new ArrayList<>();
    quota.join(
        new Entrant(Line.RANGE_READS) {
          @Override
          protected void letIn() {
            told.add("let in");
          }

          @Override
          protected void refused(Limit limit) {
            told.add("refused");
          }
        },
        now);
    assertThat(told).isEmpty();
    rules.change(List.of());
    assertThat(told).containsExactly("let in");
  }

  @Test
  void rules_that_cannot_be_used_change_nothing() {
    Rules rules = rules(analytics(1));
    RuleSession session = rules.session(TestRules.role("analytics"));
    assertThatThrownBy(() -> rules.change(List.of(analytics(0))))
        .isInstanceOf(RefusedSettings.class);
    assertThat(rules.ruling(session, RANGE)).isNotNull();
    assertThat(rules.facts().get(0).limits().get(0).allowed()).isEqualTo(1);
  }

  @Test
  void connections_are_counted_and_refused_by_the_first_rule_that_looks_at_no_statement() {
    Rules rules =
        rules(
            TestRules.rule(TestRules.ofClass(RuleClass.RANGE), Rule.Limits.NONE),
            TestRules.named("etl", TestRules.match(List.of("etl")), TestRules.connections(2)));
    List<RuleSession> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(rules.session(TestRules.role("etl")));
    }
    assertThat(rules.connect(open.get(0))).isNull();
    assertThat(rules.connect(open.get(0))).as("counted once").isNull();
    assertThat(rules.connect(open.get(1))).isNull();
    assertThat(rules.connect(open.get(2)))
        .isEqualTo(
            "Rule etl: as many connections are open as limits.connections allows; close some, or"
                + " have the operator of Sluice raise it");
    assertThat(rules.connect(rules.session(TestRules.role("other")))).isNull();
    rules.disconnect(open.get(2));
    rules.disconnect(open.get(0));
    rules.disconnect(open.get(0));
    assertThat(rules.connect(open.get(2))).isNull();
    RuleFacts facts = rules.facts().get(1);
    assertThat(facts.limits()).containsExactly(new RuleFacts.LimitFacts(Limit.CONNECTIONS, 2, 2));
    assertThat(facts.refused()).isEqualTo(Map.of(Limit.CONNECTIONS, 1L));
  }

  @Test
  void a_connection_that_is_there_counts_for_a_new_rule_at_once() {
    Rules rules = rules(analytics(1));
    RuleSession session = rules.session(TestRules.role("etl"));
    assertThat(rules.connect(session)).isNull();
    Rule etl = TestRules.rule(TestRules.match(List.of("etl")), TestRules.connections(1));
    rules.change(List.of(etl));
    assertThat(rules.facts().get(0).limits().get(0).used()).isEqualTo(1);
    assertThat(rules.connect(rules.session(TestRules.role("etl")))).isNotNull();
    rules.disconnect(session);
    assertThat(rules.facts().get(0).limits().get(0).used()).isZero();
  }

  private static Rule pool(String role) {
    return TestRules.named("pool", TestRules.match(List.of(role)), TestRules.connections(1));
  }

  @Test
  void a_connection_that_a_changed_rule_no_longer_matches_leaves_its_place_at_once() {
    Rules rules = rules(pool("etl"));
    RuleSession idle = rules.session(TestRules.role("etl"));
    assertThat(rules.connect(idle)).isNull();

    rules.change(List.of(pool("batch")));

    RuleSession batch = rules.session(TestRules.role("batch"));
    assertThat(rules.connect(batch)).isNull();
    rules.disconnect(idle);
    assertThat(rules.facts().get(0).limits().get(0).used()).isEqualTo(1);
    rules.disconnect(batch);
    assertThat(rules.facts().get(0).limits().get(0).used()).isZero();
  }

  @Test
  void a_connection_that_was_refused_or_is_closed_does_not_count_for_new_rules() {
    Rules rules = rules(pool("etl"));
    RuleSession closed = rules.session(TestRules.role("etl"));
    assertThat(rules.connect(closed)).isNull();
    assertThat(rules.connect(rules.session(TestRules.role("etl")))).isNotNull();
    rules.disconnect(closed);

    rules.change(List.of(TestRules.named("all", Rule.Match.ALL, TestRules.connections(1))));

    assertThat(rules.facts().get(0).limits().get(0).used()).isZero();
  }

  @Test
  void a_ruling_says_everything_that_the_path_needs() {
    Rules rules =
        rules(
            new Rule(
                "slow",
                TestRules.ofClass(RuleClass.RANGE),
                null,
                0.25,
                Rule.Action.QUEUE_LAST,
                Duration.ofSeconds(2),
                "ask ops"));
    Ruling ruling = rules.ruling(rules.session(TestRules.role("etl")), RANGE);
    assertThat(ruling)
        .isEqualTo(
            new Ruling(
                "slow",
                null,
                "etl by rule slow",
                0.25,
                true,
                2_000_000_000L,
                null,
                "ask ops",
                Rule.Cap.NONE,
                0,
                null,
                null));
    assertThat(Objects.requireNonNull(ruling).refused(Limit.ROWS_PER_SECOND))
        .isEqualTo(
            "Rule slow: more was asked for than rowsPerSecond allows for all its requests together;"
                + " ask ops");
  }

  @Test
  void people_are_told_what_a_rule_is() {
    Rules rules =
        rules(
            new Rule(
                null,
                new Rule.Match(
                    List.of("analytics", "etl"),
                    null,
                    List.of("shop.events"),
                    null,
                    null,
                    null,
                    List.of(RuleClass.RANGE),
                    null,
                    null,
                    true),
                TestRules.limits(4, 200, null),
                0.3,
                null,
                null,
                null),
            TestRules.rule(Rule.Match.ALL, Rule.Limits.NONE));
    RuleSession session = rules.session(TestRules.role("etl"));
    assertThat(rules.explain(session, RANGE))
        .isEqualTo(
            "rules[0] (role analytics or etl, table shop.events, class range, noLimit true):"
                + " rangeReads 4, requestsPerSecond 200, weight 0.3");
    assertThat(rules.explain(session, POINT)).isEqualTo("rules[1] (all requests): nothing");
    assertThat(rules.explain(session, TestRules.statement("USE shop"))).isNull();
    assertThat(rules.facts()).allMatch(each -> each.matched() == 0);
  }

  @Test
  void a_refusal_counts_as_one_of_its_rule_when_the_request_is_refused() {
    Rules rules = rules(TestRules.refusing(Rule.Match.ALL, null));
    RuleSession session = rules.session(TestRules.role("etl"));
    rules.ruling(session, POINT);
    rules.ruling(session, RANGE);
    assertThat(rules.facts().get(0).refused()).as("in the mode observe").isEmpty();

    rules.refused(session, POINT);
    rules.refused(session, RANGE);
    rules.refused(session, TestRules.statement("USE shop"));

    RuleFacts facts = rules.facts().get(0);
    assertThat(facts.matched()).isEqualTo(2);
    assertThat(facts.refused()).isEqualTo(Map.of(Limit.ACTION, 2L));
    assertThat(facts.refusals()).isEqualTo(2);
  }

  @Test
  void what_was_used_of_a_rate_is_what_was_taken_lately() {
    Rules rules = rules(TestRules.rule(Rule.Match.ALL, TestRules.limits(null, 100, 1_000)));
    RuleQuota quota = quota(rules.ruling(rules.session(TestRules.role("r")), POINT));
    for (int i = 0; i < 15; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
      quota.leave(Line.OTHERS, 50, now);
    }
    assertThat(rules.facts().get(0).limits())
        .containsExactly(
            new RuleFacts.LimitFacts(Limit.REQUESTS_PER_SECOND, 100, 15),
            new RuleFacts.LimitFacts(Limit.ROWS_PER_SECOND, 1_000, 750));
  }

  @Test
  void a_connection_counts_once_whatever_the_rules_become() {
    Rule few = TestRules.named("etl", TestRules.match(List.of("etl")), TestRules.connections(2));
    Rules rules = rules(few);
    RuleSession session = rules.session(TestRules.role("etl"));
    assertThat(rules.connect(session)).isNull();
    for (int i = 0; i < 3; i++) {
      rules.change(List.of(few));
      rules.ruling(session, POINT);
      assertThat(rules.facts().get(0).limits().get(0).used()).isEqualTo(1);
    }
    rules.disconnect(session);
    rules.change(List.of(few));
    rules.ruling(session, POINT);
    assertThat(rules.facts().get(0).limits().get(0).used()).as("gone").isZero();
  }
}
