package io.sluice.decide.rule;

import static io.sluice.decide.rule.Line.OTHERS;
import static io.sluice.decide.rule.Line.RANGE_READS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.rule.Rule.Limit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what each limit keeps out, and for how long. */
class AllowanceTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void places_keep_only_range_reads_out_until_one_ends() {
    Allowance places = new Allowance(TestRules.limits(1, null, null), 0);
    places.enter(RANGE_READS);
    assertThat(places.blocked(RANGE_READS, 0)).isEqualTo(Limit.RANGE_READS);
    assertThat(places.blocked(OTHERS, 0)).isNull();
    assertThat(places.nanosUntilFree(RANGE_READS, 0)).isEqualTo(Long.MAX_VALUE);
    assertThat(places.nanosUntilFree(OTHERS, 0)).isZero();
    assertThat(places.rangesUnderWay()).isEqualTo(1);
    places.leave(RANGE_READS, 0, 0);
    assertThat(places.blocked(RANGE_READS, 0)).isNull();
    assertThatThrownBy(() -> places.leave(RANGE_READS, 0, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void requests_are_kept_out_by_time_and_rows_first() {
    Allowance both = new Allowance(TestRules.limits(null, 1, 10), 0);
    both.enter(OTHERS);
    assertThat(both.blocked(OTHERS, 0)).isEqualTo(Limit.REQUESTS_PER_SECOND);
    assertThat(both.nanosUntilFree(OTHERS, 0)).isBetween(SECOND, SECOND + 1);
    both.leave(OTHERS, 40, 0);
    assertThat(both.blocked(OTHERS, 0)).isEqualTo(Limit.ROWS_PER_SECOND);
    assertThat(both.rowTokens(0)).isEqualTo(-30);
    assertThat(both.nanosUntilFree(OTHERS, 0)).as("the later of both").isGreaterThan(3 * SECOND);
    assertThat(both.blocked(OTHERS, 4 * SECOND)).isNull();
    assertThat(both.requestTokens(4 * SECOND)).isEqualTo(1);
  }

  @Test
  void a_part_of_a_limit_replaces_the_whole_and_a_part_of_no_limit_is_nothing() {
    Allowance parts = new Allowance(TestRules.limits(null, 100, null), 0);
    parts.restrict(Map.of(Limit.REQUESTS_PER_SECOND, 7.0, Limit.ROWS_PER_SECOND, 1.0), 0);
    assertThat(parts.requestTokens(SECOND)).isEqualTo(7);
    assertThat(parts.rowTokens(SECOND)).isNaN();
    assertThat(parts.countsRows()).isFalse();
    parts.change(TestRules.limits(null, 5, 10), SECOND);
    assertThat(parts.requestTokens(2 * SECOND)).as("less than the part").isEqualTo(5);
    assertThat(parts.rowTokens(2 * SECOND)).as("the part that was given before").isEqualTo(1);
    assertThat(parts.countsRows()).isTrue();
  }

  @Test
  void without_limits_everything_is_allowed() {
    Allowance all = new Allowance(Rule.Limits.NONE, 0);
    for (int i = 0; i < 100; i++) {
      all.enter(RANGE_READS);
    }
    all.leave(RANGE_READS, 1_000_000, 0);
    assertThat(all.blocked(RANGE_READS, 0)).isNull();
    assertThat(all.nanosUntilFree(RANGE_READS, 0)).isZero();
    assertThat(all.requestTokens(0)).isNaN();
  }
}
