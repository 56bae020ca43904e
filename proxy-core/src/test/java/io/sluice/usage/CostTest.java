package io.sluice.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests sums of costs, and the counts by which statements get a place. */
class CostTest {

  private static final int CELLS = 1 << 13;

  private static Cost cost(long took, int rows) {
    Cost cost = new Cost();
    cost.called(took, took / 2);
    cost.returned(rows, 10 * rows);
    return cost;
  }

  @Test
  void a_sum_has_the_larger_maximum_and_all_else_added() {
    Cost sum = cost(7, 1).add(cost(5, 2));
    assertThat(sum)
        .returns(2L, Cost::calls)
        .returns(12L, Cost::nanos)
        .returns(7L, Cost::maxNanos)
        .returns(5L, Cost::queuedNanos)
        .returns(3L, Cost::rows)
        .returns(30L, Cost::bytes)
        .returns(0L, Cost::errors);
  }

  @Test
  void a_sum_keeps_its_last_error_unless_the_other_has_one() {
    Cost failed = cost(1, 0);
    failed.failed(0x1001, true);
    assertThat(failed.add(cost(1, 0)))
        .returns(0x1001, Cost::lastError)
        .returns(true, Cost::wasLastByNode);
    Cost other = new Cost();
    other.failed(0x1000, false);
    assertThat(failed.add(other))
        .returns(2L, Cost::errors)
        .returns(0x1000, Cost::lastError)
        .returns(false, Cost::wasLastByNode);
  }

  @Test
  void a_copy_does_not_grow_with_its_original() {
    Cost cost = cost(7, 1);
    Cost copy = cost.copy();
    cost.called(9, 0);
    assertThat(copy).returns(1L, Cost::calls).returns(7L, Cost::maxNanos);
    assertThat(copy.quantileNanos(1)).isEqualTo(cost(7, 1).quantileNanos(1));
  }

  /** A quantile is the middle of a bucket, which may lie above all durations. */
  @Test
  void a_quantile_is_not_longer_than_the_longest_call() {
    long took = TimeUnit.MILLISECONDS.toNanos(1);
    for (int i = 0; i < 100; i++) {
      Cost cost = cost(took + i * 10_000L, 0);
      assertThat(cost.quantileNanos(0.99)).isLessThanOrEqualTo(cost.maxNanos());
    }
  }

  @Test
  void a_candidate_is_counted_by_the_weight_of_its_calls() {
    Frequencies frequencies = new Frequencies();
    assertThat(frequencies.add(77, 1)).isEqualTo(1);
    assertThat(frequencies.add(77, 5)).isEqualTo(6);
    assertThat(frequencies.add(78, 2)).as("another candidate").isEqualTo(2);
  }

  /** A candidate has four cells, and few others have all of them. */
  @Test
  void other_candidates_hardly_add_to_a_count() {
    Frequencies frequencies = new Frequencies();
    Random random = new Random(7);
    for (int i = 0; i < CELLS; i++) {
      frequencies.add(random.nextLong(), 1);
    }
    long exact =
        IntStream.range(0, 100).filter(i -> frequencies.add(random.nextLong(), 1) == 1).count();
    assertThat(exact).isGreaterThan(70);
  }

  @Test
  void a_count_that_cannot_grow_stays() {
    Frequencies frequencies = new Frequencies();
    assertThat(frequencies.add(77, 1 << 20)).isEqualTo(Short.MAX_VALUE);
    assertThat(frequencies.add(77, 1)).isEqualTo(Short.MAX_VALUE);
  }

  /** So that statements that were frequent long ago lose their place. */
  @Test
  void all_counts_are_halved_after_twice_as_many_calls_as_there_are_cells() {
    Frequencies frequencies = new Frequencies();
    frequencies.add(77, 1_000);
    for (int i = 1; i < 2 * CELLS; i++) {
      frequencies.add(5, 0);
    }
    assertThat(frequencies.add(77, 0)).as("one call before is not enough").isEqualTo(500);
    for (int i = 1; i < 2 * CELLS; i++) {
      frequencies.add(5, 0);
    }
    assertThat(frequencies.add(77, 0)).isEqualTo(500);
    assertThat(frequencies.add(77, 0)).isEqualTo(250);
  }
}
