package io.sluice.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenRangeTest {

  private static final Token MINIMUM = new Token.Murmur3(Long.MIN_VALUE);
  private static final Token RANDOM_MINIMUM = new Token.Random(BigInteger.ONE.negate());

  private static Token token(long value) {
    return new Token.Murmur3(value);
  }

  private static TokenRange range(@Nullable Long after, @Nullable Long upTo) {
    return new TokenRange(after == null ? null : token(after), upTo == null ? null : token(upTo));
  }

  @Test
  void a_token_s_position_is_the_share_of_the_ring_below_it() {
    assertThat(MINIMUM.position()).isZero();
    assertThat(token(0).position()).isEqualTo(0.5);
    assertThat(token(Long.MAX_VALUE).position()).isEqualTo(1);
    assertThat(RANDOM_MINIMUM.position()).isZero();
    assertThat(new Token.Random(BigInteger.TWO.pow(125)).position()).isEqualTo(0.25);
    assertThat(new Token.Random(BigInteger.TWO.pow(127)).position()).isEqualTo(1);
    assertThat(new Token.Ordered("").position()).isZero();
    assertThat(new Token.Ordered("80").position()).isNaN();
  }

  @Test
  void a_range_contains_its_end_and_not_its_beginning() {
    assertThat(range(1L, 10L).contains(token(1))).isFalse();
    assertThat(range(1L, 10L).contains(token(2))).isTrue();
    assertThat(range(1L, 10L).contains(token(10))).isTrue();
    assertThat(range(1L, 10L).contains(token(11))).isFalse();
    assertThat(TokenRange.ALL.contains(token(Long.MAX_VALUE))).isTrue();
  }

  @Test
  void a_range_is_empty_when_no_partition_can_be_in_it() {
    assertThat(range(1L, 1L).isEmpty()).isTrue();
    assertThat(range(2L, 1L).isEmpty()).isTrue();
    assertThat(range(null, Long.MIN_VALUE).isEmpty()).isTrue();
    assertThat(range(Long.MAX_VALUE, null).isEmpty()).isTrue();
    assertThat(new TokenRange(new Token.Random(BigInteger.TWO.pow(127)), null).isEmpty()).isTrue();
    assertThat(range(1L, 2L).isEmpty()).isFalse();
    assertThat(TokenRange.ALL.isEmpty()).isFalse();
    assertThat(new TokenRange(new Token.Ordered("ffff"), null).isEmpty()).isFalse();
  }

  @Test
  void an_intersection_contains_what_both_ranges_contain() {
    assertThat(range(1L, 10L).intersect(range(5L, null))).isEqualTo(range(5L, 10L));
    assertThat(range(null, null).intersect(range(null, 3L))).isEqualTo(range(null, 3L));
    assertThat(range(1L, 2L).intersect(range(5L, 6L)).isEmpty()).isTrue();
  }

  @Test
  void a_ranges_share_of_the_ring_is_counted_in_tokens() {
    assertThat(TokenRange.ALL.share(MINIMUM)).isEqualTo(1, Offset.offset(1e-9));
    assertThat(range(0L, null).share(MINIMUM)).isEqualTo(0.5, Offset.offset(1e-9));
    assertThat(range(5L, 1L).share(MINIMUM)).isZero();
    assertThat(TokenRange.ALL.share(RANDOM_MINIMUM)).isEqualTo(1, Offset.offset(1e-9));
    assertThat(TokenRange.ALL.share(new Token.Ordered(""))).isNaN();
  }

  @Test
  void parts_are_equally_wide_and_the_last_ends_with_the_range() {
    assertThat(range(0L, 100L).lastOf(1, 4, MINIMUM)).isEqualTo(token(25));
    assertThat(range(0L, 100L).lastOf(3, 4, MINIMUM)).isEqualTo(token(75));
    assertThat(range(0L, 100L).lastOf(4, 4, MINIMUM)).isEqualTo(token(100));
    assertThat(TokenRange.ALL.lastOf(1, 2, MINIMUM)).isEqualTo(token(-1));
    assertThat(TokenRange.ALL.lastOf(2, 2, MINIMUM)).isNull();
    assertThat(TokenRange.ALL.lastOf(1, 2, RANDOM_MINIMUM))
        .isEqualTo(new Token.Random(BigInteger.TWO.pow(126).subtract(BigInteger.ONE)));
  }

  @Test
  void keys_in_byte_order_are_not_cut() {
    TokenRange range = new TokenRange(new Token.Ordered("aa"), new Token.Ordered("bb"));
    assertThat(range.lastOf(1, 2, new Token.Ordered(""))).isEqualTo(new Token.Ordered("bb"));
  }

  @Test
  void a_range_is_written_as_an_interval() {
    assertThat(range(1L, 10L)).hasToString("]1,10]");
    assertThat(TokenRange.ALL).hasToString("],]");
  }

  @Test
  void the_previous_token_is_known_where_tokens_can_be_counted() {
    assertThat(token(5).previous()).isEqualTo(token(4));
    assertThat(MINIMUM.previous()).isNull();
    assertThat(new Token.Random(BigInteger.ZERO).previous()).isEqualTo(RANDOM_MINIMUM);
    assertThat(RANDOM_MINIMUM.previous()).isNull();
    assertThat(new Token.Ordered("ab00").previous()).isEqualTo(new Token.Ordered("ab"));
    assertThat(new Token.Ordered("ab").previous()).isNull();
    assertThat(new Token.Ordered("").previous()).isNull();
  }
}
