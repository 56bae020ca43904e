package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingTest {

  @Test
  void a_condition_that_holds_needs_no_wait() {
    AtomicInteger looked = new AtomicInteger();

    assertThat(Waiting.until(Duration.ZERO, () -> looked.incrementAndGet() == 1)).isTrue();
    assertThat(looked).hasValue(1);
  }

  @Test
  void a_condition_that_does_not_hold_yet_is_checked_again() {
    AtomicInteger looked = new AtomicInteger();

    assertThat(Waiting.until(Duration.ofMinutes(1), () -> looked.incrementAndGet() == 3)).isTrue();
  }

  @Test
  void a_condition_that_never_holds_is_given_up_after_a_last_check() {
    AtomicInteger looked = new AtomicInteger();

    assertThat(Waiting.until(Duration.ZERO, () -> looked.incrementAndGet() == 0)).isFalse();
    assertThat(looked).hasPositiveValue();
  }

  @Test
  void an_interruption_ends_the_wait_and_stays_visible() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Waiting.until(Duration.ofMinutes(1), () -> false))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
