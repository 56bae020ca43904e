package io.sluice.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TraceRateTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = Long.MAX_VALUE - SECOND / 2;
  private final TraceRate rate = new TraceRate(2, () -> now);

  private int taken(int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += rate.take() ? 1 : 0;
    }
    return taken;
  }

  @Test
  void each_second_has_as_many_traces_as_the_limit_even_if_the_clock_overflows() {
    assertThat(taken(5)).isEqualTo(2);

    now += SECOND - 1;
    assertThat(taken(5)).isZero();

    now += 1;
    assertThat(taken(5)).isEqualTo(2);
  }

  @Test
  void what_a_second_leaves_is_lost() {
    assertThat(taken(1)).isEqualTo(1);
    now += 3 * SECOND;

    assertThat(taken(5)).isEqualTo(2);
  }

  @Test
  void a_second_begins_with_the_first_trace_after_the_last_second() {
    now += 3 * SECOND / 2;
    assertThat(taken(1)).isEqualTo(1);
    now += SECOND - 1;

    assertThat(taken(5)).as("of the same second").isEqualTo(1);
  }

  @Test
  void a_limit_of_zero_allows_none() {
    assertThat(new TraceRate(0, () -> now).take()).isFalse();
  }
}
