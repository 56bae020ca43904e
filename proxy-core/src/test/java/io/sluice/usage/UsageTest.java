package io.sluice.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.sluice.time.Latencies;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests counts of several lanes that are joined, and the quantiles of durations. */
class UsageTest {

  private static StatementFacts statement(long digest, String role, long millis, int calls) {
    Cost cost = new Cost();
    for (int i = 0; i < calls; i++) {
      cost.called(TimeUnit.MILLISECONDS.toNanos(millis), 0);
    }
    return new StatementFacts(digest, role, "text", "ks", "t", "point_read", cost);
  }

  @Test
  void a_statement_of_several_lanes_is_one() {
    List<StatementFacts> joined =
        Usage.joined(
            List.of(
                List.of(statement(1, "a", 1, 2), statement(1, "b", 1, 3)),
                List.of(statement(1, "a", 5, 4))),
            10);
    assertThat(joined).hasSize(2);
    StatementFacts first = joined.get(0);
    assertThat(first.role()).isEqualTo("a");
    assertThat(first.cost().calls()).isEqualTo(6);
    assertThat(first.cost().maxNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
  }

  @Test
  void the_statements_with_the_most_time_are_listed_and_the_others_summed() {
    List<StatementFacts> joined =
        Usage.joined(
            List.of(
                List.of(
                    statement(1, "a", 1, 1), statement(2, "a", 1, 100), statement(3, "a", 90, 1)),
                List.of(StatementFacts.others(statement(4, "a", 1, 5).cost()))),
            2);
    assertThat(joined).extracting(StatementFacts::digest).containsExactly(2L, 3L, 0L);
    assertThat(joined.get(2).isOthers()).isTrue();
    assertThat(joined.get(2).cost().calls()).isEqualTo(6);
  }

  @Test
  void a_quantile_is_at_most_an_eighth_too_high_or_low() {
    for (long nanos = 1_024; nanos < TimeUnit.HOURS.toNanos(1); nanos = nanos * 9 / 8) {
      Latencies latencies = new Latencies();
      latencies.add(nanos);
      assertThat((double) latencies.quantile(0.5)).isCloseTo((double) nanos, withPercentage(12.6));
    }
  }

  @Test
  void the_p99_is_that_of_the_slowest_hundredth() {
    Cost cost = statement(1, "a", 1, 98).cost();
    cost.add(statement(1, "a", 1_000, 2).cost());
    assertThat((double) cost.quantileNanos(0.5)).isCloseTo(1e6, withPercentage(12.6));
    assertThat((double) cost.quantileNanos(0.99)).isCloseTo(1e9, withPercentage(12.6));
    assertThat(new Cost().quantileNanos(0.99)).isZero();
  }

  @Test
  void errors_are_counted_and_the_last_one_is_kept() {
    Cost cost = statement(1, "a", 1, 1).cost();
    assertThat(cost.lastError()).isEqualTo(Cost.NO_ERROR);
    cost.failed(0x1200, true);
    cost.failed(0x1001, false);
    assertThat(cost.errors()).isEqualTo(2);
    assertThat(cost.copy().lastError()).isEqualTo(0x1001);
    assertThat(cost.copy().wasLastByNode()).isFalse();
  }
}
