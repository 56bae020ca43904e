package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests the measured capacity of a node whose reads all start at once. */
class CapacityTest {
  private static final long MS = 1_000_000;

  private final Capacity capacity = new Capacity();
  private long now;

  /** Adds reads of 1 ms of work and of this duration, one after each {@code gap}. */
  private void answers(int count, long gap, long took) {
    for (int i = 0; i < count; i++) {
      now += gap;
      capacity.answered((double) MS, took, now);
    }
  }

  @Test
  void the_capacity_is_unknown_while_reads_run_at_full_speed() {
    answers(1000, MS / 4, MS);
    assertThat(capacity.cores()).isInfinite();
  }

  @Test
  void the_capacity_is_the_work_per_time_while_reads_delay_each_other() {
    answers(6000, MS / 4, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(4, within(0.1));
  }

  @Test
  void the_capacity_follows_a_node_that_becomes_slower_or_faster() {
    answers(6000, MS / 4, 50 * MS);
    answers(3000, MS, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(1, within(0.1));
    answers(9000, MS / 8, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(8, within(0.2));
  }

  @Test
  void the_capacity_stays_under_low_load_and_rises_with_more_work() {
    answers(6000, MS / 4, 50 * MS);
    answers(2000, 100 * MS, MS);
    // One window has answers of both times.
    assertThat(capacity.cores()).isBetween(3.0, 4.1);
    answers(4000, MS / 6, MS);
    assertThat(capacity.cores()).isCloseTo(6, within(0.2));
  }

  @Test
  void idle_time_does_not_count() {
    for (int burst = 0; burst < 40; burst++) {
      now += 1000 * MS;
      for (int i = 1; i <= 20; i++) {
        now += MS / 2;
        capacity.answered((double) MS, i * (MS / 2), now);
      }
    }
    assertThat(capacity.cores()).isCloseTo(2, within(0.2));
  }
}
