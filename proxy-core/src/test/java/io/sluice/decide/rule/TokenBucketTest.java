package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests tokens over time, and debt. */
class TokenBucketTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final TokenBucket bucket = new TokenBucket(10, 0);

  @Test
  void a_debt_is_paid_once_and_tokens_come_again_then() {
    bucket.charge(25, 0);
    assertThat(bucket.tokens(0)).isZero();
    assertThat(bucket.debt(0)).isCloseTo(15, within(1e-6));
    assertThat(bucket.nanosUntilOne(0)).isBetween(SECOND * 16 / 10, SECOND * 16 / 10 + 2);
    assertThat(bucket.debt(SECOND)).isCloseTo(5, within(1e-6));
    assertThat(bucket.tokens(SECOND)).isZero();
    assertThat(bucket.debt(2 * SECOND)).isZero();
    assertThat(bucket.tokens(2 * SECOND)).isCloseTo(5, within(1e-6));
    assertThat(bucket.tokens(2 * SECOND + SECOND / 5)).isCloseTo(7, within(1e-6));
  }

  @Test
  void those_of_one_second_are_kept_and_no_more() {
    assertThat(bucket.tokens(0)).isEqualTo(10);
    assertThat(bucket.tokens(100 * SECOND)).isEqualTo(10);
    bucket.rate(4, 100 * SECOND);
    assertThat(bucket.tokens(100 * SECOND)).isEqualTo(4);
    assertThat(new TokenBucket(0.5, 0).tokens(9 * SECOND)).as("one at least").isEqualTo(1);
  }

  @Test
  void a_clock_that_stands_gives_none() {
    bucket.charge(10, SECOND);
    assertThat(bucket.tokens(SECOND)).isZero();
    assertThat(bucket.tokens(0)).as("an earlier time").isZero();
    assertThat(bucket.tokens(2 * SECOND)).isEqualTo(10);
  }
}
