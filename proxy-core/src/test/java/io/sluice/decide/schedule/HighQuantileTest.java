package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HighQuantileTest {

  private static final long MILLI = 1_000_000;

  private final HighQuantile quantile = new HighQuantile();
  private final Random random = new Random(1);

  /** Returns a duration from a distribution with a long tail, around one millisecond. */
  private long duration() {
    return (long) (MILLI * Math.exp(random.nextGaussian() / 2));
  }

  private void addAll(int count, long times) {
    for (int i = 0; i < count; i++) {
      quantile.add(times * duration());
    }
  }

  @Test
  void the_quantile_is_unknown_before_a_hundred_durations() {
    addAll(HighQuantile.FIRST - 1, 1);
    assertThat(quantile.nanos()).isInfinite();
    addAll(1, 1);
    assertThat(quantile.nanos()).isFinite().isPositive();
  }

  @Test
  void about_one_in_a_hundred_durations_is_longer() {
    addAll(20_000, 1);
    int longer = 0;
    for (int i = 0; i < 100_000; i++) {
      long next = duration();
      longer += next > quantile.nanos() ? 1 : 0;
      quantile.add(next);
    }
    assertThat(longer).isCloseTo(1_000, Percentage.withPercentage(5));
  }

  @Test
  void the_quantile_is_near_that_of_the_distribution() {
    addAll(20_000, 1);
    long[] sorted = new long[100_000];
    Arrays.setAll(sorted, i -> duration());
    Arrays.sort(sorted);
    double sum = 0;
    for (int i = 0; i < 20_000; i++) {
      quantile.add(duration());
      sum += quantile.nanos();
    }
    assertThat(sum / 20_000).isCloseTo((double) sorted[99_000], Percentage.withPercentage(20));
  }

  @Test
  void the_quantile_follows_durations_that_change() {
    addAll(20_000, 1);
    double before = quantile.nanos();
    addAll(1_000, 20);
    assertThat(quantile.nanos()).isGreaterThan(10 * before);
    addAll(20_000, 1);
    assertThat(quantile.nanos()).isLessThan(2 * before);
  }
}
