package io.sluice.decide.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ErrorSpreadTest {

  private final ErrorSpread errors = new ErrorSpread();

  private void seen(int times, double estimated, long actual) {
    for (int i = 0; i < times; i++) {
      errors.seen(estimated, actual);
    }
  }

  @Test
  void without_samples_the_spread_is_zero() {
    assertThat(errors.sigma()).isZero();
  }

  @Test
  void exact_estimates_have_no_spread() {
    seen(5, 1_000, 1_000);
    assertThat(errors.sigma()).isZero();
  }

  @Test
  void the_spread_of_large_counts_is_measured() {
    Random random = new Random(20_261_122);
    for (int i = 0; i < 500; i++) {
      errors.seen(10_000, Math.round(10_000 * (1 + 0.2 * random.nextGaussian())));
    }
    assertThat(errors.sigma()).isCloseTo(0.2, within(0.08));
  }

  @Test
  void a_few_unexpected_rows_are_a_small_error() {
    seen(100, 0, 2);
    assertThat(errors.sigma()).isLessThan(0.15);
  }

  @Test
  void one_large_error_counts_as_one_at_most_and_is_forgotten() {
    seen(1, 100, 1_000_000);
    assertThat(errors.sigma()).isEqualTo(1);
    seen(200, 1_000, 1_000);
    assertThat(errors.sigma()).isLessThan(0.01);
  }
}
