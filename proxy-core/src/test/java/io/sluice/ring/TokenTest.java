package io.sluice.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the tokens of Cassandra's three partitioners. */
class TokenTest {

  private static Token murmur3(long value) {
    return new Token.Murmur3(value);
  }

  private static Token random(long value) {
    return new Token.Random(BigInteger.valueOf(value));
  }

  private static Token ordered(String hex) {
    return new Token.Ordered(hex);
  }

  static Stream<Arguments> tokens() {
    BigInteger half = BigInteger.TWO.pow(126);
    return Stream.of(
        Arguments.of(murmur3(Long.MIN_VALUE), "-9223372036854775808", "8000000000000000", 0.0),
        Arguments.of(murmur3(0), "0", "0000000000000000", 0.5),
        Arguments.of(murmur3(1L << 62), "4611686018427387904", "4000000000000000", 0.75),
        Arguments.of(random(-1), "-1", "ff", 0.0),
        Arguments.of(random(0), "0", "00", 0.0),
        Arguments.of(new Token.Random(half), half.toString(), "40" + "00".repeat(15), 0.5),
        Arguments.of(ordered(""), "0x", "", 0.0),
        Arguments.of(ordered("cafe"), "0xcafe", "cafe", Double.NaN));
  }

  @ParameterizedTest
  @MethodSource("tokens")
  void a_token_has_a_form_in_cql_a_bound_value_and_a_position_on_the_ring(
      Token token, String cql, String value, double position) {
    assertThat(token.toCql()).isEqualTo(cql);
    ByteBuffer bytes = token.toValue();
    StringBuilder hex = new StringBuilder();
    while (bytes.hasRemaining()) {
      hex.append("%02x".formatted(bytes.get()));
    }
    assertThat(hex).hasToString(value);
    assertThat(token.position()).isEqualTo(Double.valueOf(position));
  }

  static Stream<List<Token>> ascending() {
    return Stream.of(
        List.of(murmur3(Long.MIN_VALUE), murmur3(-1), murmur3(0), murmur3(Long.MAX_VALUE)),
        List.of(random(-1), random(0), random(255), new Token.Random(BigInteger.TWO.pow(100))),
        List.of(ordered(""), ordered("00"), ordered("0001"), ordered("01"), ordered("ff")));
  }

  @ParameterizedTest
  @MethodSource("ascending")
  void tokens_are_in_the_order_of_the_ring_from_the_minimum_on(List<Token> tokens) {
    assertThat(tokens).isSorted();
    assertThat(tokens.get(0).isMinimum()).isTrue();
    assertThat(tokens.subList(1, tokens.size())).noneMatch(Token::isMinimum);
    assertThat(tokens.stream().map(Token::position).filter(each -> !each.isNaN())).isSorted();
  }

  @Test
  void equal_tokens_have_equal_hashes() {
    assertThat(murmur3(77).hash()).isEqualTo(77);
    assertThat(new Token.Random(BigInteger.TWO.pow(64).add(BigInteger.TEN)).hash()).isEqualTo(10);
    assertThat(random(1L << 40).hash()).isEqualTo(1L << 40);
    assertThat(ordered("cafe").hash())
        .isEqualTo(ordered("cafe").hash())
        .isNotEqualTo(ordered("cafd").hash());
  }
}
