package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that impossible rules are refused with key, requirement and advice. */
class RuleCheckTest {

  private static final Rule.Match ALL = Rule.Match.ALL;

  private static Rule.Match match(
      List<String> keyspace,
      List<String> table,
      List<String> address,
      List<RuleClass> shapes,
      List<String> digest,
      Boolean allowFiltering,
      Boolean noLimit) {
    return new Rule.Match(
        null, keyspace, table, null, null, address, shapes, digest, allowFiltering, noLimit);
  }

  private static Rule does(Rule.Match match, Double weight, Rule.Action action, Duration timeout) {
    return new Rule(null, match, null, weight, action, timeout, null);
  }

  private static List<String> keys(Rule... rules) {
    List<String> keys = new ArrayList<>();
    try {
      Rules.check(List.of(rules));
    } catch (RefusedSettings e) {
      e.all().stream().map(InvalidSetting::key).forEach(keys::add);
      assertThat(e.all())
          .allSatisfy(
              each -> {
                assertThat(each.requirement()).startsWith("must");
                assertThat(each.advice()).isNotEmpty();
              });
    }
    return keys;
  }

  @Test
  void what_can_be_is_let_pass() {
    assertThat(
            keys(
                TestRules.rule(
                    TestRules.match(List.of("analytics")), TestRules.limits(4, 200, 50_000)),
                TestRules.rule(TestRules.match(List.of("etl")), TestRules.connections(50)),
                does(TestRules.ofClass(RuleClass.RANGE), 0.3, Rule.Action.QUEUE_LAST, null),
                TestRules.refusing(
                    match(
                        List.of("shop"),
                        List.of("shop.events", "users"),
                        List.of("10.0.0.0/8", "::1"),
                        List.of(),
                        List.of("00ff00ff00ff00ff"),
                        true,
                        true),
                    "no"),
                TestRules.rule(ALL, Rule.Limits.NONE)))
        .isEmpty();
    assertThat(keys()).isEmpty();
  }

  @Test
  void names_networks_and_digests_must_be_such() {
    assertThat(
            keys(
                TestRules.rule(
                    match(
                        List.of("", "a.b"),
                        List.of("a.b.c", "", ".t", "k."),
                        List.of("10.0.0.0/33", "localhost", "10.0.0", "::1/129", "10.0.0.1/", "/8"),
                        List.of(),
                        List.of("xyz", "00ff"),
                        null,
                        null),
                    Rule.Limits.NONE),
                TestRules.rule(TestRules.match(List.of(" ")), Rule.Limits.NONE)))
        .contains("rules[1].match.role")
        .filteredOn(key -> key.startsWith("rules[0]"))
        .filteredOn(key -> !key.equals("rules[0].match.table"))
        .containsExactly(
            "rules[0].match.keyspace",
            "rules[0].match.keyspace",
            "rules[0].match.address",
            "rules[0].match.address",
            "rules[0].match.address",
            "rules[0].match.address",
            "rules[0].match.address",
            "rules[0].match.address",
            "rules[0].match.digest",
            "rules[0].match.digest");
  }

  @Test
  void limits_must_be_of_something_that_the_rule_can_match() {
    Rule.Match writes = TestRules.ofClass(RuleClass.WRITE);
    Rule.Match points = TestRules.ofClass(RuleClass.POINT);
    assertThat(keys(TestRules.rule(writes, TestRules.limits(1, 1, 1))))
        .containsExactly("rules[0].limits.rangeReads", "rules[0].limits.rowsPerSecond");
    assertThat(keys(TestRules.rule(points, TestRules.limits(1, 1, 1))))
        .containsExactly("rules[0].limits.rangeReads");
    assertThat(keys(TestRules.rule(points, TestRules.connections(3))))
        .containsExactly("rules[0].limits.connections");
    assertThat(keys(TestRules.rule(ALL, TestRules.limits(0, -1, 0))))
        .containsExactly(
            "rules[0].limits.rangeReads",
            "rules[0].limits.requestsPerSecond",
            "rules[0].limits.rowsPerSecond");
    assertThat(
            keys(TestRules.rule(ALL, new Rule.Limits(1, null, null, null, Duration.ofMinutes(2)))))
        .containsExactly("rules[0].limits.maxWait");
  }

  @Test
  void what_a_rule_does_must_have_an_effect() {
    Rule.Match writes = TestRules.ofClass(RuleClass.WRITE);
    assertThat(keys(does(writes, 0.3, Rule.Action.QUEUE_LAST, null)))
        .containsExactly("rules[0].weight", "rules[0].action");
    assertThat(keys(does(ALL, 0.0, null, Duration.ofMillis(1))))
        .containsExactly("rules[0].weight", "rules[0].timeout");
    assertThat(keys(does(ALL, Double.NaN, null, null))).containsExactly("rules[0].weight");
    assertThat(keys(does(ALL, 1.0, Rule.Action.REFUSE, null))).containsExactly("rules[0].action");
    assertThat(
            keys(
                TestRules.rule(
                    match(null, null, null, List.of(RuleClass.WRITE), null, true, false),
                    Rule.Limits.NONE)))
        .containsExactly("rules[0].match.noLimit", "rules[0].match.allowFiltering");
  }

  @Test
  void a_rule_that_no_request_reaches_is_told() {
    Rule one = TestRules.rule(TestRules.match(List.of("a")), Rule.Limits.NONE);
    assertThat(keys(one, one)).containsExactly("rules[1]");
    assertThat(keys(TestRules.rule(ALL, Rule.Limits.NONE), one))
        .as("a rule for all of which a mistaken matcher may have been taken out")
        .isEmpty();
    assertThatThrownBy(() -> Rules.check(List.of(one, one)))
        .asInstanceOf(type(RefusedSettings.class))
        .extracting(e -> e.all().get(0).requirement())
        .asString()
        .contains("rules[0] matches the same");
  }

  @Test
  void names_are_there_once() {
    Rule a = TestRules.named("x", TestRules.match(List.of("a")), Rule.Limits.NONE);
    Rule b = TestRules.named("x", TestRules.match(List.of("b")), Rule.Limits.NONE);
    Rule c = TestRules.named(" ", TestRules.match(List.of("c")), Rule.Limits.NONE);
    assertThat(keys(a, b, c)).containsExactly("rules[1].name", "rules[2].name");
  }

  @Test
  void a_table_of_another_keyspace_than_the_rules_is_no_table() {
    assertThat(
            keys(
                TestRules.rule(
                    match(List.of("logs"), List.of("shop.events"), null, null, null, null, null),
                    Rule.Limits.NONE)))
        .containsExactly("rules[0].match.table");
  }

  @Test
  void ten_thousand_rules_are_checked_and_more_are_refused() {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < RuleCheck.MAX_RULES; i++) {
      rules.add(TestRules.rule(TestRules.match(List.of("role" + i)), Rule.Limits.NONE));
    }
    Rules.check(rules);
    rules.add(TestRules.rule(ALL, Rule.Limits.NONE));
    assertThat(keys(rules.toArray(Rule[]::new))).containsExactly("rules");
  }

  private static Rule caps(
      RuleClass of, Rule.Action action, String message, Rule.Cap cap, Double raise) {
    return new Rule(null, TestRules.ofClass(of), null, null, action, null, message, cap, raise);
  }

  @Test
  void caps_are_of_reads_and_raises_of_something() {
    Rule.Cap cap = new Rule.Cap(10, 10);
    assertThat(keys(caps(RuleClass.POINT, null, null, cap, 2.0))).isEmpty();
    assertThat(keys(caps(RuleClass.WRITE, null, null, cap, 2.0)))
        .containsExactlyInAnyOrder("rules[0].cap", "rules[0].raise");
    assertThat(keys(caps(RuleClass.RANGE, null, null, new Rule.Cap(0, -1), 0.0)))
        .containsExactlyInAnyOrder("rules[0].cap.limit", "rules[0].cap.pageSize", "rules[0].raise");
    assertThat(keys(caps(RuleClass.RANGE, Rule.Action.REFUSE, "no", cap, null)))
        .containsExactly("rules[0].action");
    assertThat(keys(caps(RuleClass.RANGE, Rule.Action.REFUSE, "no", null, 2.0)))
        .containsExactly("rules[0].action");
  }

  @Test
  void a_warning_has_words() {
    assertThat(keys(caps(RuleClass.WRITE, Rule.Action.WARN, "use another table", null, null)))
        .isEmpty();
    assertThat(keys(caps(RuleClass.WRITE, Rule.Action.WARN, null, null, null)))
        .containsExactly("rules[0].message");
    assertThat(keys(caps(RuleClass.WRITE, Rule.Action.WARN, " ", null, null)))
        .containsExactly("rules[0].message");
  }

  @Test
  void a_data_centre_is_for_reads_and_writes_that_run() {
    Rule any = TestRules.rule(TestRules.match(List.of("etl")), TestRules.limits(1, null, null));
    assertThat(keys(any.to("dc2"))).isEmpty();
    assertThat(keys(any.to(" "))).containsExactly("rules[0].datacenter");
    assertThat(keys(caps(RuleClass.WRITE, null, null, Rule.Cap.NONE, null).to("dc2"))).isEmpty();
    assertThat(keys(caps(RuleClass.SCHEMA, null, null, Rule.Cap.NONE, null).to("dc2")))
        .containsExactly("rules[0].datacenter");
    assertThat(keys(caps(RuleClass.RANGE, Rule.Action.REFUSE, "no", Rule.Cap.NONE, null).to("dc2")))
        .containsExactly("rules[0].action");
  }

  @Test
  void an_unknown_data_centre_is_refused_with_those_of_the_cluster() {
    Rule any = TestRules.rule(TestRules.match(List.of("etl")), TestRules.limits(1, null, null));
    List<Rule> rules = List.of(any.to("dc2"), any.to("dc3"), any);
    Rules none = new Rules(List.of(), () -> 0);
    none.checkNewDatacenters(rules, List.of());
    none.checkNewDatacenters(rules, List.of("dc1", "dc2", "dc3"));
    assertThatThrownBy(() -> none.checkNewDatacenters(rules, List.of("dc1", "dc2")))
        .isInstanceOf(RefusedSettings.class)
        .hasMessage(
            "rules[1].datacenter must be a data centre of the cluster, which has dc1, dc2, not"
                + " dc3");
    assertThat(Rules.datacenters(rules)).containsExactlyInAnyOrder("dc2", "dc3");
  }

  /** It may be about to come, or gone. Other rules and settings can be changed nevertheless. */
  @Test
  void an_unknown_data_centre_of_a_rule_in_effect_is_not_refused() {
    Rule any = TestRules.rule(TestRules.match(List.of("etl")), TestRules.limits(1, null, null));
    Rules inEffect = new Rules(List.of(any.to("dc3")), () -> 0);
    inEffect.checkNewDatacenters(List.of(any.to("dc3"), any.to("dc1")), List.of("dc1"));
    assertThatThrownBy(
            () ->
                inEffect.checkNewDatacenters(List.of(any.to("dc3"), any.to("dc4")), List.of("dc1")))
        .isInstanceOf(RefusedSettings.class)
        .hasMessage(
            "rules[1].datacenter must be a data centre of the cluster, which has dc1, not dc4");
  }

  private static List<String> ofTable(String table) {
    return keys(
        TestRules.rule(
            match(null, List.of(table), null, null, null, null, null), Rule.Limits.NONE));
  }

  @Test
  void a_table_is_a_name_with_its_keyspace_or_without() {
    for (String good : List.of("t", "ks.t", "T", "a b.c d")) {
      assertThat(ofTable(good)).as(good).isEmpty();
    }
    for (String bad : List.of("", " ", ".t", " .t", "ks.", "ks. ", "a.b.c", ".")) {
      assertThat(ofTable(bad)).as(bad).containsOnly("rules[0].match.table");
    }
  }

  @Test
  void names_of_applications_and_drivers_are_not_empty() {
    Rule.Match blank =
        new Rule.Match(null, null, null, List.of(" "), List.of(""), null, null, null, null, null);
    assertThat(keys(TestRules.rule(blank, Rule.Limits.NONE)))
        .containsExactly("rules[0].match.application", "rules[0].match.driver");
  }

  private static List<String> wait(Duration wait) {
    return keys(TestRules.rule(ALL, new Rule.Limits(1, null, null, null, wait)));
  }

  @Test
  void limits_waits_and_timeouts_have_bounds() {
    int most = 1_000_000_000;
    assertThat(keys(TestRules.rule(ALL, new Rule.Limits(1, most, most, null, null)))).isEmpty();
    assertThat(keys(TestRules.rule(ALL, TestRules.limits(most + 1, null, null))))
        .containsExactly("rules[0].limits.rangeReads");
    assertThat(keys(TestRules.rule(ALL, TestRules.connections(0))))
        .containsExactly("rules[0].limits.connections");
    assertThat(wait(Duration.ZERO)).isEmpty();
    assertThat(wait(Duration.ofSeconds(60))).isEmpty();
    assertThat(wait(Duration.ofMillis(-1))).containsExactly("rules[0].limits.maxWait");
    assertThat(wait(Duration.ofMillis(60_001))).containsExactly("rules[0].limits.maxWait");
    assertThat(keys(does(ALL, null, null, Duration.ofMillis(100)))).isEmpty();
    assertThat(keys(does(ALL, null, null, Duration.ofMillis(99))))
        .containsExactly("rules[0].timeout");
    assertThat(keys(does(ALL, Double.POSITIVE_INFINITY, null, null)))
        .containsExactly("rules[0].weight");
    assertThat(keys(caps(RuleClass.RANGE, null, null, null, Double.POSITIVE_INFINITY)))
        .containsExactly("rules[0].raise");
  }

  @Test
  void a_refusal_stands_without_any_other_effect_on_requests() {
    Rule.Action refuse = Rule.Action.REFUSE;
    Duration second = Duration.ofSeconds(1);
    Rule.Limits ranges = TestRules.limits(1, null, null);
    Rule.Cap cap = new Rule.Cap(1, null);
    List<Rule> all =
        List.of(
            new Rule(null, ALL, ranges, null, refuse, null, null),
            new Rule(null, ALL, null, 1.0, refuse, null, null),
            new Rule(null, ALL, null, null, refuse, second, null),
            new Rule(null, ALL, null, null, refuse, null, null, cap, null),
            new Rule(null, ALL, null, null, refuse, null, null, null, 1.0),
            new Rule(null, ALL, null, null, refuse, null, null).to("dc2"));
    for (Rule each : all) {
      assertThat(keys(each)).as("%s", each).containsExactly("rules[0].action");
    }
    assertThat(keys(new Rule(null, ALL, TestRules.connections(1), null, refuse, null, null)))
        .as("a connection is no request")
        .isEmpty();
  }

  @Test
  void matchers_of_a_select_stand_beside_classes_that_may_be_one() {
    for (RuleClass of : RuleClass.values()) {
      Rule.Match match = match(null, null, null, List.of(of), null, true, true);
      boolean may = of != RuleClass.WRITE && of != RuleClass.SCHEMA;
      assertThat(keys(TestRules.rule(match, Rule.Limits.NONE)).isEmpty())
          .as("%s", of)
          .isEqualTo(may);
    }
  }
}
