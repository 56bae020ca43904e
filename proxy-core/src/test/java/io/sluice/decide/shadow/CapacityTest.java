package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests the measured capacity of a node that gets everything at once. */
class CapacityTest {
  private static final long MS = 1_000_000;

  private final Capacity capacity = new Capacity();
  private long now;

  /** Adds reads of 1 ms of work, one after each {@code gap}, each with this duration. */
  private void answers(int count, long gap, long took) {
    for (int i = 0; i < count; i++) {
      now += gap;
      capacity.answered((double) MS, took, now);
    }
  }

  @Test
  void is_not_known_while_reads_get_on_at_full_speed() {
    answers(1000, MS / 4, MS);
    assertThat(capacity.cores()).isInfinite();
  }

  @Test
  void is_the_work_done_a_time_while_reads_wait_for_each_other() {
    answers(6000, MS / 4, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(4, within(0.1));
  }

  @Test
  void follows_a_node_that_becomes_slower_or_faster() {
    answers(6000, MS / 4, 50 * MS);
    answers(3000, MS, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(1, within(0.1));
    answers(9000, MS / 8, 50 * MS);
    assertThat(capacity.cores()).isCloseTo(8, within(0.2));
  }

  @Test
  void stays_while_there_is_little_to_do_and_rises_when_more_is_done() {
    answers(6000, MS / 4, 50 * MS);
    answers(2000, 100 * MS, MS);
    // One window has answers of both times.
    assertThat(capacity.cores()).isBetween(3.0, 4.1);
    answers(4000, MS / 6, MS);
    assertThat(capacity.cores()).isCloseTo(6, within(0.2));
  }

  @Test
  void counts_no_time_in_which_nothing_was_under_way() {
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
