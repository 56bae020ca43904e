package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.divide.FleetView;
import io.sluice.decide.rule.Rule.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the text that {@link FleetLimits} writes into heartbeats, and of reading it. */
class FleetHeartbeatTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final UUID SELF = new UUID(0, 5);
  private static final UUID OTHER = new UUID(0, 9);

  private final FleetLimits limits = new FleetLimits();
  private long now;
  private long beat;

  private List<CompiledRule> follow(Rule... rules) {
    List<CompiledRule> compiled = CompiledRule.of(List.of(rules), Map.of(), now);
    limits.follow(compiled);
    return compiled;
  }

  private static Rule etl(Rule.Limits limits) {
    return TestRules.named("etl", TestRules.match(List.of("etl")), limits);
  }

  /** Returns the values of the only limit, one second after the last heartbeat. */
  private String text(List<CompiledRule> rules) {
    now += SECOND;
    String text = limits.text(++beat, rules, now);
    return text.substring(text.indexOf('=') + 1);
  }

  private void seen(String other) {
    limits.received(new FleetView(SELF, beat, Map.of(OTHER, other)));
  }

  @Test
  void each_limit_is_said_with_its_demand_and_what_is_held() {
    List<CompiledRule> rules = follow(etl(new Rule.Limits(8, 100, 1_000, 40, null)));
    now = SECOND;
    String text = limits.text(1, rules, now);
    String id = text.substring(2, text.indexOf(':'));
    assertThat(text)
        .isEqualTo(
            "1 ID:rangeReads=0.0000/1.000000 ID:requestsPerSecond=0.0000/10.000000"
                .concat(" ID:rowsPerSecond=0.0000/100.000000 ID:connections=0.0000/1.000000")
                .replace("ID", id));
    assertThat(id).matches("[0-9a-f]{1,16}");
  }

  @Test
  void a_rule_without_a_limit_is_not_said() {
    assertThat(limits.text(1, follow(etl(Rule.Limits.NONE)), 1)).isEqualTo("1");
  }

  /** A process that hands its port over leaves when this one begins to serve. */
  @Test
  void without_a_limit_too_the_others_know_this_proxy_only_after_three_looks() {
    follow();
    for (int look = 0; look < 3; look++) {
      assertThat(limits.areDivided()).isFalse();
      seen("1");
    }
    assertThat(limits.areDivided()).isTrue();
  }

  @Test
  void the_demand_for_range_reads_is_what_is_under_way_and_what_waits() {
    List<CompiledRule> rules =
        follow(etl(new Rule.Limits(2, null, null, null, Duration.ofMinutes(1))));
    RuleQuota quota = rules.get(0).use().quota();
    for (int i = 0; i < 5; i++) {
      if (!quota.tryEnter(Line.RANGE_READS, now)) {
        quota.join(new Waiting(), now);
      }
    }
    assertThat(text(rules)).isEqualTo("5.0000/2.000000");
    quota.leave(Line.RANGE_READS, 0, now);
    assertThat(text(rules)).as("the next one goes in its place").isEqualTo("4.0000/2.000000");
  }

  /** A request whose outcome does not matter. */
  private static final class Waiting extends RuleQuota.Entrant {
    Waiting() {
      super(Line.RANGE_READS);
    }

    @Override
    protected void letIn() {}

    @Override
    protected void refused(Limit limit) {}
  }

  @Test
  void the_demand_for_requests_is_their_rate_with_half_of_what_it_was() {
    List<CompiledRule> rules = follow(etl(TestRules.limits(null, 100, null)));
    RuleQuota quota = rules.get(0).use().quota();
    text(rules);
    for (int i = 0; i < 40; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
    }
    for (int i = 0; i < 8; i++) {
      quota.refuse(Limit.REQUESTS_PER_SECOND);
    }
    assertThat(text(rules)).startsWith("24.0000/");
    assertThat(text(rules)).startsWith("12.0000/");
    now += SECOND;
    assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
    assertThat(text(rules)).as("one in two seconds").startsWith("6.2500/");
  }

  @Test
  void a_waiting_request_is_demand_too() {
    List<CompiledRule> rules =
        follow(etl(new Rule.Limits(null, 1, null, null, Duration.ofMinutes(1))));
    RuleQuota quota = rules.get(0).use().quota();
    assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
    for (int i = 0; i < 6; i++) {
      quota.join(new Waiting(), now);
    }
    assertThat(text(rules)).startsWith("3.5000/");
  }

  @Test
  void the_demand_for_rows_is_the_rate_of_requests_times_the_rows_of_each() {
    List<CompiledRule> rules = follow(etl(TestRules.limits(null, null, 1_000)));
    RuleQuota quota = rules.get(0).use().quota();
    text(rules);
    for (int i = 0; i < 4; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
      quota.leave(Line.OTHERS, 50, now);
    }
    assertThat(text(rules)).startsWith("100.0000/");
    for (int i = 0; i < 16; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
      quota.leave(Line.OTHERS, 0, now);
    }
    assertThat(text(rules)).as("200 rows of 20 requests").startsWith("90.0000/");
  }

  @Test
  void a_request_counts_as_one_row_at_least() {
    List<CompiledRule> rules = follow(etl(TestRules.limits(null, null, 1_000)));
    RuleQuota quota = rules.get(0).use().quota();
    text(rules);
    for (int i = 0; i < 10; i++) {
      assertThat(quota.tryEnter(Line.OTHERS, now)).isTrue();
    }
    assertThat(text(rules)).startsWith("5.0000/");
  }

  /** A client whose connection is refused comes again: its demand must not be forgotten at once. */
  @Test
  void the_demand_for_connections_is_those_that_are_open_and_those_refused_lately() {
    List<CompiledRule> rules = follow(etl(TestRules.connections(50)));
    RuleUse use = rules.get(0).use();
    use.connect(50);
    use.connect(50);
    for (int i = 0; i < 2; i++) {
      use.refused(Limit.CONNECTIONS);
    }
    assertThat(text(rules)).isEqualTo("4.0000/2.000000");
    assertThat(text(rules)).isEqualTo("3.8000/2.000000");
    for (int i = 0; i < 5; i++) {
      text(rules);
    }
    assertThat(text(rules)).as("less than one connection is none").isEqualTo("2.0000/2.000000");
    use.disconnect();
    assertThat(text(rules)).startsWith("1.0000/1.000000");
  }

  @Test
  void a_rule_is_known_by_its_name_else_by_its_matchers() {
    Rule.Limits ten = TestRules.limits(10, null, null);
    String named = ids(etl(ten));
    assertThat(ids(TestRules.named("etl", TestRules.match(List.of("x")), ten))).isEqualTo(named);
    assertThat(ids(TestRules.named("elt", TestRules.match(List.of("etl")), ten)))
        .isNotEqualTo(named);
    String bare = ids(TestRules.rule(TestRules.match(List.of("etl")), ten));
    assertThat(ids(TestRules.rule(TestRules.match(List.of("etl")), TestRules.limits(3, 4, null))))
        .isEqualTo(bare);
    assertThat(ids(TestRules.rule(TestRules.match(List.of("x")), ten))).isNotEqualTo(bare);
  }

  private String ids(Rule rule) {
    String text = limits.text(1, follow(rule), 1);
    return text.substring(2, text.indexOf(':'));
  }

  @Test
  void the_limits_of_the_first_rules_only_are_divided() {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i <= FleetLimits.MAX_RULES; i++) {
      rules.add(
          TestRules.named("r" + i, TestRules.match(List.of("r" + i)), TestRules.connections(9)));
    }
    List<CompiledRule> compiled = follow(rules.toArray(Rule[]::new));
    assertThat(limits.allowed(compiled.get(FleetLimits.MAX_RULES - 1))).isNotEmpty();
    assertThat(limits.allowed(compiled.get(FleetLimits.MAX_RULES))).isEmpty();
    assertThat(limits.text(1, compiled, 1).split(" ")).hasSize(1 + FleetLimits.MAX_RULES);
  }

  @Test
  void a_rule_that_is_gone_and_a_limit_that_is_gone_are_not_said_any_more() {
    List<CompiledRule> rules =
        follow(
            etl(TestRules.limits(8, 100, null)),
            TestRules.named("b", TestRules.match(List.of("b")), TestRules.limits(3, null, null)));
    assertThat(limits.text(1, rules, 1).split(" ")).hasSize(4);
    List<CompiledRule> fewer = follow(etl(TestRules.limits(null, 100, null)));
    assertThat(limits.text(2, fewer, 2)).contains("requestsPerSecond").doesNotContain("rangeReads");
    assertThat(limits.allowed(rules.get(1))).isEmpty();
  }

  @Test
  void a_limit_is_divided_after_three_looks_at_the_others() {
    follow(etl(TestRules.limits(8, null, null)));
    for (int look = 0; look < 3; look++) {
      assertThat(limits.areDivided()).isFalse();
      seen("1");
    }
    assertThat(limits.areDivided()).isTrue();
  }

  @Test
  void without_the_others_each_limit_is_divided_equally_at_once() {
    List<CompiledRule> rules = follow(etl(new Rule.Limits(9, 100, null, null, null)));
    limits.othersUnreachable(4);
    assertThat(limits.areDivided()).isTrue();
    assertThat(limits.allowed(rules.get(0)))
        .isEqualTo(Map.of(Limit.RANGE_READS, 2.0, Limit.REQUESTS_PER_SECOND, 25.0));
  }

  /** Returns what is allowed of 100 requests a second while another proxy says this. */
  private double allowedBeside(String values) {
    List<CompiledRule> rules = follow(etl(TestRules.limits(null, 100, null)));
    String id = ids(etl(TestRules.limits(null, 100, null)));
    for (int i = 0; i < 4; i++) {
      text(rules);
      seen("1 " + id + ":requestsPerSecond=" + values);
    }
    return limits.allowed(rules.get(0)).getOrDefault(Limit.REQUESTS_PER_SECOND, -1.0);
  }

  @Test
  void what_another_proxy_holds_is_not_used_here() {
    assertThat(allowedBeside("0/60")).isEqualTo(40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "60",
        "0/",
        "/60",
        "x/60",
        "0/x",
        "-1/60",
        "0/-60",
        "NaN/60",
        "0/NaN",
        "0/Infinity",
        "0/1e16"
      })
  void values_that_are_no_numbers_are_skipped(String values) {
    assertThat(allowedBeside(values)).isEqualTo(100);
  }

  @Test
  void a_text_too_long_to_be_one_of_ours_is_skipped() {
    assertThat(allowedBeside("0/60 " + "x".repeat(16 << 10))).isEqualTo(100);
    assertThat(allowedBeside("0/60 " + "x".repeat(16_000))).isEqualTo(40);
  }
}
