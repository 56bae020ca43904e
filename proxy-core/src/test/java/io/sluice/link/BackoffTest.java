package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import org.junit.jupiter.api.Test;

/** Tests the length of pauses, and when they are given up. */
class BackoffTest {

  private final TestLane lane = new TestLane();
  private int ends;
  private final Backoff backoff = new Backoff(lane, () -> ends++);

  private void expectPauseOf(long millis) {
    ends = 0;
    backoff.pause();
    lane.pass(millis - 1);
    assertThat(backoff.isPaused()).isTrue();
    assertThat(ends).isZero();
    lane.pass(1);
    assertThat(backoff.isPaused()).isFalse();
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void pauses_grow_to_two_seconds_and_are_short_again_after_a_success() {
    for (long millis : new long[] {100, 200, 400, 800, 1_600, 2_000, 2_000}) {
      backoff.failed();
      expectPauseOf(millis);
    }
    for (int i = 0; i < 100; i++) {
      backoff.failed();
    }
    expectPauseOf(2_000);
    backoff.succeeded();
    backoff.failed();
    expectPauseOf(100);
  }

  @Test
  void the_first_failure_and_the_success_after_failures_are_told_apart() {
    assertThat(backoff.succeeded()).isFalse();
    assertThat(backoff.failed()).isTrue();
    assertThat(backoff.failed()).isFalse();
    assertThat(backoff.succeeded()).isTrue();
    assertThat(backoff.succeeded()).isFalse();
    assertThat(backoff.failed()).isTrue();
  }

  @Test
  void after_sixty_failures_in_a_row_there_is_no_hope() {
    for (int i = 0; i < 60; i++) {
      backoff.failed();
    }
    assertThat(backoff.isHopeless()).isFalse();
    backoff.failed();
    assertThat(backoff.isHopeless()).isTrue();
    backoff.succeeded();
    assertThat(backoff.isHopeless()).isFalse();
  }
}
