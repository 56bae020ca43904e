package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hints of applications, and what rules make of them. */
class PriorityTest {

  @ParameterizedTest
  @CsvSource({
    "/* sluice: priority=low */ SELECT v FROM t,LOW",
    "/*sluice:priority=high*/SELECT v FROM t,HIGH",
    "' \n\t/*  sluice:   priority=normal  */ SELECT',NORMAL",
    "/* sluice: priority=lowest */ SELECT,UNKNOWN",
    "/* sluice: prio=low */ SELECT,UNKNOWN",
    "/* sluice: */ SELECT,UNKNOWN"
  })
  void a_statement_may_begin_with_one(String cql, Priority priority) {
    assertThat(Priority.ofComment(cql)).isEqualTo(priority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "/",
        "/*",
        "/*/",
        "/* sluice: priority=low",
        "/* another: priority=low */ SELECT",
        "SELECT v FROM t WHERE v = '/* sluice: priority=low */'",
        "SELECT /* sluice: priority=low */ v FROM t",
        "-- sluice: priority=low"
      })
  void anything_else_is_no_hint(String cql) {
    assertThat(Priority.ofComment(cql)).isNull();
  }

  @Test
  void an_application_may_end_with_one() {
    assertThat(Priority.ofApplication("reports sluice:priority=low")).isEqualTo(Priority.LOW);
    assertThat(Priority.ofApplication("sluice:priority=HIGH")).isEqualTo(Priority.UNKNOWN);
    assertThat(Priority.ofApplication("sluice:priority=low ")).isEqualTo(Priority.LOW);
    assertThat(Priority.ofApplication("sluice:priority=low sluice:priority=high"))
        .as("the end counts")
        .isEqualTo(Priority.HIGH);
    assertThat(Priority.ofApplication("sluice:priority=low reports")).isNull();
    assertThat(Priority.ofApplication("not-sluice:priority=low")).isNull();
    assertThat(Priority.ofApplication("")).isNull();
    assertThat(Priority.ofApplication("reports")).isNull();
    assertThat(Priority.ofApplication(null)).isNull();
    assertThat(Priority.ofComment(null)).isNull();
    assertThat(Priority.named(null)).isNull();
  }

  private static Ruling ruling(Double raise) {
    Rule rule =
        new Rule(
            "nightly", Rule.Match.ALL, null, 0.5, Rule.Action.QUEUE_LAST, null, null, null, raise);
    Rules rules = new Rules(List.of(rule), () -> 0);
    return Objects.requireNonNull(
        rules.ruling(
            rules.session(TestRules.role("etl")), TestRules.statement("SELECT v FROM users")));
  }

  @Test
  void anyone_may_be_last() {
    assertThat(Ruling.LOW.last()).isTrue();
    assertThat(Ruling.LOW.tenant()).isNull();
    assertThat(Ruling.LOW.timeoutNanos()).isEqualTo(Long.MAX_VALUE);
    Ruling low = ruling(2.0).low();
    assertThat(low.last()).isTrue();
    assertThat(low.tenant()).isEqualTo("etl by rule nightly");
    assertThat(low.weight()).isEqualTo(0.5);
  }

  @Test
  void more_than_the_rule_says_has_to_be_allowed_by_it() {
    Ruling high = ruling(2.0).high("etl");
    assertThat(high.last()).isFalse();
    assertThat(high.tenant()).isEqualTo("etl raised by rule nightly");
    assertThat(high.weight()).isEqualTo(2);
    Ruling plain = ruling(null);
    assertThat(plain.high("etl")).isSameAs(plain);
  }

  @Test
  void a_client_is_told_of_waits_once_a_second() {
    Rules rules = new Rules(List.of(), () -> 0);
    RuleSession session = rules.session(TestRules.role("etl"));
    assertThat(session.tellsOfWait(5)).isTrue();
    assertThat(session.tellsOfWait(999_999_999)).isFalse();
    assertThat(session.tellsOfWait(1_000_000_005)).isTrue();
    assertThat(session.tellsOfWait(1_000_000_006)).isFalse();
  }
}
