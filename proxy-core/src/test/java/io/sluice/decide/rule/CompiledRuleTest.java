package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.Rule.RuleClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of {@link CompiledRule} and {@link RuleUse}: the effect of one rule, and its words. */
class CompiledRuleTest {

  private static final Rule.Match ETL = TestRules.match(List.of("etl"));

  private static CompiledRule compiled(Rule rule) {
    return CompiledRule.of(List.of(rule), Map.of(), 1).get(0);
  }

  private static Rule acting(@Nullable String name, Rule.Action action, @Nullable String message) {
    return new Rule(name, ETL, null, null, action, null, message);
  }

  @Test
  void every_matcher_is_shown() {
    Rule.Match match =
        new Rule.Match(
            List.of("etl", "bi"),
            List.of("shop"),
            List.of("shop.events", "users"),
            List.of("spark*"),
            List.of("java"),
            List.of("10.0.0.0/8"),
            List.of(RuleClass.RANGE, RuleClass.POINT),
            List.of("00ff00ff00ff00ff"),
            true,
            false);
    assertThat(compiled(TestRules.rule(match, Rule.Limits.NONE)).matchText())
        .isEqualTo(
            "role etl or bi, keyspace shop, table shop.events or users, application spark*, driver"
                + " java, address 10.0.0.0/8, class range or point, digest 00ff00ff00ff00ff,"
                + " allowFiltering true, noLimit false");
    assertThat(compiled(TestRules.rule(Rule.Match.ALL, Rule.Limits.NONE)).matchText())
        .isEqualTo("all requests");
  }

  @Test
  void every_effect_is_shown() {
    Rule rule =
        new Rule(
            "all",
            ETL,
            new Rule.Limits(1, 2, 3, 4, null),
            0.5,
            Rule.Action.QUEUE_LAST,
            Duration.ofSeconds(2),
            "ask ops",
            new Rule.Cap(5, 6),
            1.5,
            "dc2");
    assertThat(compiled(rule).effectText())
        .isEqualTo(
            "action queue-last, rangeReads 1, requestsPerSecond 2, rowsPerSecond 3, connections 4,"
                + " weight 0.5, timeout 2s, cap.limit 5, cap.pageSize 6, raise 1.5, datacenter"
                + " dc2");
    assertThat(compiled(TestRules.rule(ETL, Rule.Limits.NONE)).effectText()).isEqualTo("nothing");
  }

  @Test
  void a_rule_without_effects_leaves_a_request_as_it_is() {
    Ruling ruling = compiled(TestRules.rule(ETL, Rule.Limits.NONE)).ruling("etl");
    assertThat(ruling)
        .isEqualTo(
            new Ruling(
                "rules[0]",
                null,
                null,
                1,
                false,
                Long.MAX_VALUE,
                null,
                "",
                Rule.Cap.NONE,
                0,
                null,
                null));
  }

  @Test
  void a_limit_of_connections_alone_has_no_quota_for_requests() {
    assertThat(compiled(TestRules.rule(ETL, TestRules.connections(3))).ruling("etl").quota())
        .isNull();
    CompiledRule limited = compiled(TestRules.rule(ETL, TestRules.limits(null, null, 3)));
    assertThat(limited.ruling("etl").quota()).isSameAs(limited.use().quota());
  }

  @Test
  void only_refuse_refuses_only_warn_warns_and_only_queue_last_is_last() {
    Ruling refuse = compiled(acting("r", Rule.Action.REFUSE, "use the job")).ruling("etl");
    Ruling warn = compiled(acting("w", Rule.Action.WARN, "use the job")).ruling("etl");
    Ruling last = compiled(acting("l", Rule.Action.QUEUE_LAST, "use the job")).ruling("etl");
    assertThat(List.of(refuse.last(), warn.last(), last.last()))
        .containsExactly(false, false, true);
    assertThat(refuse.refusal()).isEqualTo("Rule r refuses this statement: use the job");
    assertThat(refuse.warning()).isNull();
    assertThat(warn.warning()).isEqualTo("Rule w: use the job");
    assertThat(warn.refusal()).isNull();
    assertThat(last.refusal()).isNull();
    assertThat(last.warning()).isNull();
  }

  @Test
  void a_refusal_without_words_names_whom_to_ask() {
    assertThat(compiled(acting(null, Rule.Action.REFUSE, null)).ruling("etl").refusal())
        .isEqualTo(
            "Rule rules[0] refuses this statement: ask the operator of Sluice for another way");
    assertThat(compiled(TestRules.rule(ETL, TestRules.connections(1))).connectionRefusal())
        .endsWith("; close some, or have the operator of Sluice raise it");
    assertThat(
            compiled(new Rule(null, ETL, TestRules.connections(1), null, null, null, "use a pool"))
                .connectionRefusal())
        .isEqualTo(
            "Rule rules[0]: as many connections are open as limits.connections allows; use a pool");
  }

  @Test
  void the_words_of_a_ruling_end_with_those_of_its_rule() {
    Ruling plain = compiled(acting("x", Rule.Action.QUEUE_LAST, null)).ruling("etl");
    Ruling told = compiled(acting("x", Rule.Action.QUEUE_LAST, "ask ops")).ruling("etl");
    assertThat(plain.limited(10))
        .isEqualTo(
            "Rule x: LIMIT is 10, and no rows beyond it are returned; ask for fewer rows, or have"
                + " the operator of Sluice raise cap.limit");
    assertThat(told.limited(10))
        .isEqualTo("Rule x: LIMIT is 10, and no rows beyond it are returned; ask ops");
    assertThat(told.paged(7)).isEqualTo("Rule x: the page size is 7 rows (cap.pageSize)");
    assertThat(told.waited(1_999_999))
        .isEqualTo("Rule x: this request has waited for its limits, for 1 ms");
    assertThat(plain.refused(Limit.RANGE_READS))
        .endsWith("; send fewer at once, or have the operator of Sluice raise limits.rangeReads");
    assertThat(told.refused(Limit.RANGE_READS)).endsWith("; ask ops");
  }

  @Test
  void a_ruling_of_the_data_centre_only_has_no_other_effect() {
    Rule rule =
        new Rule(
                "far",
                ETL,
                TestRules.limits(1, null, null),
                0.5,
                Rule.Action.QUEUE_LAST,
                Duration.ofSeconds(1),
                "why")
            .to("dc2");
    Ruling only = compiled(rule).ruling("etl").onlyDatacenter();
    assertThat(only.datacenter()).isEqualTo("dc2");
    assertThat(only.quota()).isNull();
    assertThat(only.tenant()).isNull();
    assertThat(only.last()).isFalse();
    assertThat(only.timeoutNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_rule_keeps_its_use_by_its_name_or_by_its_matchers() {
    RuleUse used = new RuleUse(Rule.Limits.NONE, 1);
    Rule named = TestRules.named("etl", ETL, Rule.Limits.NONE);
    Rule bare = TestRules.rule(ETL, Rule.Limits.NONE);
    assertThat(use(named, Map.of("etl", used))).isSameAs(used);
    assertThat(use(named, Map.of(ETL, used))).isNotSameAs(used);
    assertThat(use(bare, Map.of(ETL, used))).isSameAs(used);
    assertThat(use(bare, Map.of("etl", used))).isNotSameAs(used);
  }

  private static RuleUse use(Rule rule, Map<Object, RuleUse> before) {
    return CompiledRule.of(List.of(rule), before, 1).get(0).use();
  }

  @Test
  void connections_are_counted_up_to_this_proxy_s_part() {
    RuleUse use = new RuleUse(TestRules.connections(10), 1);
    use.allow(Map.of(Limit.CONNECTIONS, 2.0), 1);
    assertThat(use.connect(10)).isTrue();
    assertThat(use.connect(10)).isTrue();
    assertThat(use.connect(10)).isFalse();
    assertThat(use.connections()).as("a refused one takes no place").isEqualTo(2);
    use.allow(Map.of(), 1);
    assertThat(use.connect(3)).isTrue();
    assertThat(use.connect(3)).isFalse();
    use.disconnect();
    assertThat(use.connect(3)).isTrue();
  }

  @Test
  void a_part_larger_than_a_lowered_limit_does_not_count() {
    RuleUse use = new RuleUse(TestRules.connections(10), 1);
    use.allow(Map.of(Limit.CONNECTIONS, 8.0), 1);
    assertThat(use.allowed(Limit.CONNECTIONS, 5)).isEqualTo(5);
    assertThat(use.allowed(Limit.CONNECTIONS, 9)).isEqualTo(8);
    assertThat(use.allowed(Limit.RANGE_READS, 9)).isEqualTo(9);
  }

  @Test
  void refusals_of_limits_actions_and_connections_are_shown_together() {
    CompiledRule rule = compiled(TestRules.named("etl", ETL, new Rule.Limits(1, 2, 3, 4, null)));
    rule.use().matched();
    rule.use().refused(Limit.CONNECTIONS);
    rule.use().refused(Limit.ACTION);
    rule.use().refused(Limit.ROWS_PER_SECOND);
    rule.use().quota().refuse(Limit.RANGE_READS);
    RuleFacts facts = rule.facts(1);
    assertThat(facts.refused())
        .as("the quota counts those of its own limits")
        .isEqualTo(Map.of(Limit.CONNECTIONS, 1L, Limit.ACTION, 1L, Limit.RANGE_READS, 1L));
    assertThat(rule.use().refusedConnections()).isEqualTo(1);
    assertThat(facts.matched()).isEqualTo(1);
    assertThat(facts.limits())
        .extracting(RuleFacts.LimitFacts::limit)
        .containsExactly(
            Limit.RANGE_READS, Limit.REQUESTS_PER_SECOND, Limit.ROWS_PER_SECOND, Limit.CONNECTIONS);
  }

  @Test
  void a_rate_that_is_divided_shows_what_was_taken_of_this_proxy_s_part() {
    CompiledRule rule = compiled(TestRules.rule(ETL, TestRules.limits(null, 100, null)));
    RuleQuota quota = rule.use().quota();
    rule.use().allow(Map.of(Limit.REQUESTS_PER_SECOND, 10.0), 1);
    for (int i = 0; i < 4; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, 1)).isTrue();
    }
    RuleFacts.LimitFacts requests = rule.facts(1).limits().get(0);
    assertThat(requests.allowed()).isEqualTo(10);
    assertThat(requests.used()).isEqualTo(4);
  }

  @Test
  void a_session_tells_the_rule_of_its_connection() {
    Rules rules =
        new Rules(
            List.of(
                TestRules.rule(TestRules.ofClass(RuleClass.RANGE), Rule.Limits.NONE),
                TestRules.named("etl", ETL, Rule.Limits.NONE)),
            () -> 1);
    assertThat(rules.session(TestRules.role("etl")).ruleOfConnection()).isEqualTo("etl");
    assertThat(rules.session(TestRules.role("bi")).ruleOfConnection()).isEmpty();
  }

  @Test
  void a_preview_counts_nothing() {
    Rules rules = new Rules(List.of(TestRules.refusing(ETL, "no")), () -> 1);
    RuleSession session = rules.session(TestRules.role("etl"));
    Ruling preview = rules.preview(session, TestRules.statement("SELECT v FROM users"));
    assertThat(Objects.requireNonNull(preview).refusal()).contains("no");
    assertThat(rules.preview(session, TestRules.statement("USE shop"))).isNull();
    assertThat(rules.facts().get(0).matched()).isZero();
    assertThat(rules.facts().get(0).refusals()).isZero();
  }

  @Test
  void rules_of_a_role_and_of_all_roles_are_looked_at_in_their_order() {
    Rule.Limits none = Rule.Limits.NONE;
    Rule.Match points = TestRules.ofClass(RuleClass.POINT);
    Rules rules =
        new Rules(
            List.of(
                TestRules.named("writes", TestRules.ofClass(RuleClass.WRITE), none),
                TestRules.named("etl", ETL, none),
                TestRules.named("points", points, none),
                TestRules.named("bi", TestRules.match(List.of("bi", "etl")), none),
                TestRules.named("all", Rule.Match.ALL, none)),
            () -> 1);
    String write = "INSERT INTO users (k) VALUES (1)";
    String point = "SELECT v FROM users WHERE k = 1";
    assertThat(first(rules, "etl", write)).isEqualTo("writes");
    assertThat(first(rules, "etl", point)).isEqualTo("etl");
    assertThat(first(rules, "bi", point)).isEqualTo("points");
    assertThat(first(rules, "bi", "SELECT v FROM users")).isEqualTo("bi");
    assertThat(first(rules, "other", point)).isEqualTo("points");
    assertThat(first(rules, "other", "SELECT v FROM users")).isEqualTo("all");
  }

  private static String first(Rules rules, String role, String cql) {
    Ruling ruling = rules.ruling(rules.session(TestRules.role(role)), TestRules.statement(cql));
    return Objects.requireNonNull(ruling).rule();
  }

  @Test
  void data_centres_of_new_rules_are_told_before_these_apply() {
    Rules rules = new Rules(List.of(), () -> 1);
    Rule far = TestRules.named("far", ETL, TestRules.limits(1, null, null)).to("dc2");
    List<String> told = new ArrayList<>();
    rules.beforeChange(
        names -> {
          told.addAll(names);
          assertThat(rules.isEmpty()).isTrue();
        });
    rules.change(List.of(far));
    assertThat(told).containsExactly("dc2");
    assertThat(rules.isEmpty()).isFalse();
  }

  @Test
  void a_connection_that_opens_after_a_change_counts_by_the_new_rules() {
    Rules rules = new Rules(List.of(), () -> 1);
    RuleSession early = rules.session(TestRules.role("etl"));
    rules.change(List.of(TestRules.named("etl", ETL, TestRules.connections(1))));
    assertThat(rules.connect(early)).isNull();
    assertThat(rules.connect(rules.session(TestRules.role("etl")))).isNotNull();
    rules.disconnect(early);
    assertThat(rules.connect(rules.session(TestRules.role("etl")))).isNull();
  }
}
