package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntervalTest {
  private final Interval interval = new Interval(10);

  @Test
  void it_has_passed_at_the_first_call_whatever_the_clock_shows() {
    assertThat(interval.passed(Long.MIN_VALUE)).isTrue();
    assertThat(interval.passed(Long.MIN_VALUE)).isFalse();
  }

  @Test
  void the_next_one_begins_when_it_has_passed() {
    interval.passed(-5);

    assertThat(interval.passed(4)).isFalse();
    assertThat(interval.passed(7)).isTrue();
    assertThat(interval.passed(16)).isFalse();
    assertThat(interval.passed(17)).isTrue();
  }

  @Test
  void the_clock_may_overflow() {
    interval.passed(Long.MAX_VALUE - 5);

    assertThat(interval.passed(Long.MAX_VALUE)).isFalse();
    assertThat(interval.passed(Long.MIN_VALUE + 4)).isTrue();
  }
}
