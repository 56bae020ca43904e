package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.exchange.ReadTrace.FirstSent;
import org.junit.jupiter.api.Test;

/** Tests the time at which the first of several requests is sent. */
class FirstSentTest {

  private final FirstSent first = new FirstSent();

  @Test
  void before_the_first_request_the_default_applies() {
    assertThat(first.any()).isFalse();
    assertThat(first.or(7)).isEqualTo(7);
  }

  @Test
  void the_earliest_time_counts_in_any_order_of_requests() {
    first.sent(0);
    first.sent(-5);
    first.sent(3);
    assertThat(first.any()).isTrue();
    assertThat(first.or(7)).isEqualTo(-5);
  }

  @Test
  void requests_are_ordered_when_the_clock_overflows() {
    first.sent(Long.MIN_VALUE + 1);
    first.sent(Long.MAX_VALUE);
    assertThat(first.or(0)).isEqualTo(Long.MAX_VALUE);
  }
}
