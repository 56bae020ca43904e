package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryPauseTest {

  private final RetryPause pause = new RetryPause();

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void there_is_no_pause_before_the_first_failure() {
    assertThat(pause.isOver(millis(0))).isTrue();
  }

  @Test
  void each_pause_is_twice_as_long_as_the_last_up_to_ten_seconds() {
    long now = 0;
    for (long expected : new long[] {200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000}) {
      pause.start(now);
      now += millis(expected);
      assertThat(pause.isOver(now - 1)).as("before %d ms", expected).isFalse();
      assertThat(pause.isOver(now)).as("after %d ms", expected).isTrue();
    }
  }

  @Test
  void after_an_end_the_next_pause_is_short() {
    pause.start(0);
    pause.start(0);
    pause.end();
    assertThat(pause.isOver(0)).isTrue();
    pause.start(0);
    assertThat(pause.isOver(millis(200))).isTrue();
  }
}
