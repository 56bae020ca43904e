package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests when a probe is due, and what it shows. */
class LimitProbeTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;

  private final LimitProbe probe = new LimitProbe();

  @Test
  void the_first_probe_is_due_after_half_a_second() {
    assertThat(probe.isDue(Long.MAX_VALUE, 500 * MS - 1)).isFalse();
    assertThat(probe.isDue(Long.MAX_VALUE, 500 * MS)).isTrue();
  }

  @Test
  void the_interval_doubles_up_to_thirty_seconds() {
    long now = 0;
    for (long expected : new long[] {1, 2, 4, 8, 16, 30, 30}) {
      now += SECOND;
      probe.start(8, 1);
      probe.end(now);
      assertThat(probe.isDue(Long.MAX_VALUE, now + expected * SECOND - 1)).isFalse();
      assertThat(probe.isDue(Long.MAX_VALUE, now + expected * SECOND)).isTrue();
    }
  }

  @Test
  void an_upper_bound_shortens_the_interval() {
    for (int i = 0; i < 6; i++) {
      probe.start(8, 1);
      probe.end(0);
    }
    assertThat(probe.isDue(4 * SECOND, 4 * SECOND - 1)).isFalse();
    assertThat(probe.isDue(4 * SECOND, 4 * SECOND)).isTrue();
  }

  @Test
  void a_base_found_without_a_probe_postpones_the_next_one() {
    probe.postpone(SECOND);
    assertThat(probe.isDue(Long.MAX_VALUE, SECOND + 500 * MS - 1)).isFalse();
    assertThat(probe.isDue(Long.MAX_VALUE, SECOND + 500 * MS)).as("not doubled").isTrue();
  }

  @Test
  void a_probe_runs_until_it_ends_or_is_abandoned() {
    assertThat(probe.isRunning()).isFalse();
    probe.start(8, 1);
    assertThat(probe.isRunning()).isTrue();
    assertThat(probe.limitBefore()).isEqualTo(8);
    probe.end(SECOND);
    assertThat(probe.isRunning()).isFalse();

    probe.start(6, 1);
    probe.abandon();
    assertThat(probe.isRunning()).isFalse();
    assertThat(probe.isDue(Long.MAX_VALUE, 2 * SECOND)).as("it had no result").isTrue();
  }

  @Test
  void answers_that_are_faster_almost_in_proportion_show_crowding() {
    probe.start(8, 10);
    assertThat(probe.showsCrowding(5)).isTrue();
    assertThat(probe.showsCrowding(5.99)).isTrue();
    assertThat(probe.showsCrowding(6)).isFalse();

    probe.start(4, 5);
    assertThat(probe.limitBefore()).isEqualTo(4);
    assertThat(probe.showsCrowding(3.5)).as("compared with the last half").isFalse();
  }

  @Test
  void a_change_of_the_predicted_work_changes_the_slowness_before() {
    probe.start(8, 10);
    probe.restate(2);
    assertThat(probe.showsCrowding(11)).isTrue();
    assertThat(probe.showsCrowding(12)).isFalse();
  }
}
