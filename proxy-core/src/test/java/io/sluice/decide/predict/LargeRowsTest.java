package io.sluice.decide.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.predict.TableDensity.LargeRows;
import org.junit.jupiter.api.Test;

class LargeRowsTest {

  private final LargeRows large = LargeRows.none();

  @Test
  void the_row_size_is_unknown_before_the_first_row() {
    large.seen(0, 0);
    assertThat(large.bytes()).isZero();
    assertThat(large.known()).isFalse();
  }

  @Test
  void rows_of_equal_size_are_estimated_exactly() {
    for (int i = 1; i < 100; i++) {
      large.seen(i, i * 300L);
    }
    assertThat(large.bytes()).isCloseTo(300, within(1e-6));
  }

  @Test
  void the_answer_with_the_largest_rows_sets_the_size_at_once() {
    large.seen(10_000, 1_000_000);
    large.seen(1, 1_000_000);
    assertThat(large.bytes()).isEqualTo(1_000_000);
  }

  /** One huge row must not make all later reads small for long. */
  @Test
  void the_effect_of_one_large_row_fades_with_later_answers() {
    large.seen(1, 8_000_000);
    for (int answer = 0; answer < 60; answer++) {
      large.seen(5_000, 500_000);
    }
    assertThat(large.bytes()).isBetween(100.0, 3_000.0);
  }

  @Test
  void an_answer_without_rows_changes_nothing() {
    large.seen(1, 1_000);
    large.seen(0, 0);
    assertThat(large.bytes()).isEqualTo(1_000);
  }
}
