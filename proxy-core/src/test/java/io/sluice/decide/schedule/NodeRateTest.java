package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class NodeRateTest {
  private static final long MS = 1_000_000;
  private final NodeRate rate = new NodeRate(8);
  private long now;

  /** Adds answers, one every 10 ms, each with this work and duration. */
  private void answers(int count, double workMillis, long tookMillis, boolean waiting) {
    for (int i = 0; i < count; i++) {
      now += 10 * MS;
      rate.answered(workMillis * MS, tookMillis * MS, 8, waiting, now);
      if (!waiting) {
        rate.onQueueEmpty();
      }
    }
  }

  @Test
  void while_reads_are_queued_the_rate_is_the_work_per_time() {
    answers(200, 5, 160, true);

    assertThat(rate.value()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void an_idle_node_is_not_slow() {
    answers(200, 5, 5, false);

    assertThat(rate.value()).isCloseTo(8, within(0.1));
  }

  @Test
  void a_node_that_answers_late_without_a_queue_is_slow() {
    answers(200, 5, 50, false);

    assertThat(rate.value()).isCloseTo(0.8, within(0.05));
  }

  @Test
  void a_pause_without_requests_does_not_lower_the_rate() {
    answers(200, 20, 40, true);
    double before = rate.value();
    rate.onQueueEmpty();

    now += 60_000 * MS;
    answers(11, 20, 40, true);

    assertThat(rate.value()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void the_rate_recovers_after_an_overload() {
    answers(200, 1, 160, true);
    answers(200, 5, 5, false);

    assertThat(rate.value()).isCloseTo(8, within(0.1));
  }
}
