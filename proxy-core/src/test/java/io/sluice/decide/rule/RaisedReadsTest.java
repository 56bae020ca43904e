package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The effect of rules on reads whose application asks for a priority. */
class RaisedReadsTest {

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
