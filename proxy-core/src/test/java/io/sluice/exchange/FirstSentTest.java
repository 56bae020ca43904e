package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The time of the first of several requests. */
class FirstSentTest {

  private final FirstSent first = new FirstSent();

  @Test
  void nothing_was_sent() {
    assertThat(first.any()).isFalse();
    assertThat(first.or(7)).isEqualTo(7);
  }

  @Test
  void the_earliest_time_counts_in_whichever_order_the_requests_are_recorded() {
    first.sent(0);
    first.sent(-5);
    first.sent(3);
    assertThat(first.any()).isTrue();
    assertThat(first.or(7)).isEqualTo(-5);
  }

  @Test
  void a_clock_that_overflows_still_orders_the_requests() {
    first.sent(Long.MIN_VALUE + 1);
    first.sent(Long.MAX_VALUE);
    assertThat(first.or(0)).isEqualTo(Long.MAX_VALUE);
  }
}
