package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryTest {
  private static final long STEP = 100_000_000;

  private final Recovery recovery = new Recovery(30 * STEP);

  /** Counts ten answers in each tenth, and {@code fewer} in those between two. */
  private void answer(int from, int to, int fewer) {
    for (int step = 0; step < 30; step++) {
      for (int i = 0; i < (step >= from && step < to ? fewer : 10); i++) {
        recovery.answeredAt(step * STEP);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0",
    "10, 15, 8, 0.5",
    "10, 15, 9, 0",
    "14, 15, 0, 0.5",
    "10, 30, 8, Infinity",
    "5, 8, 9, 0"
  })
  void reads_are_back_once_nine_tenths_of_the_usual_number_are_answered(
      int from, int to, int fewer, double seconds) {
    recovery.disturbedAt(10 * STEP);

    answer(from, to, fewer);

    assertThat(recovery.backAfterSeconds()).isEqualTo(seconds);
  }

  @Test
  void without_a_disturbance_there_is_no_time_to_wait() {
    answer(10, 30, 0);

    assertThat(recovery.backAfterSeconds()).isZero();
  }

  @Test
  void the_first_disturbance_counts() {
    recovery.disturbedAt(12 * STEP);
    recovery.disturbedAt(10 * STEP);
    recovery.disturbedAt(14 * STEP);

    answer(10, 15, 0);

    assertThat(recovery.backAfterSeconds()).isEqualTo(0.5);
  }

  @Test
  void a_disturbance_before_the_measured_time_has_no_usual_number_to_return_to() {
    recovery.disturbedAt(-STEP);

    answer(0, 15, 0);

    assertThat(recovery.backAfterSeconds()).isZero();
  }

  @Test
  void answers_in_the_last_part_of_a_tenth_count_for_no_tenth() {
    Recovery odd = new Recovery(3 * STEP + 1);
    odd.answeredAt(0);
    odd.disturbedAt(STEP);
    odd.answeredAt(STEP);
    odd.answeredAt(3 * STEP);

    assertThat(odd.backAfterSeconds()).as("no answer in the third tenth").isInfinite();
  }
}
