package io.sluice.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of replicas by range: ranges are ]start, end], and tokens above the last end belong to the
 * first.
 */
class ReplicasTest {

  private static final NodeId A = new NodeId(new UUID(0, 0xA));
  private static final NodeId B = new NodeId(new UUID(0, 0xB));
  private static final NodeId C = new NodeId(new UUID(0, 0xC));

  private final Ring.Replicas replicas =
      new Ring.Replicas(
          List.of(new Token.Murmur3(-10), new Token.Murmur3(0), new Token.Murmur3(10)),
          List.of(List.of(A), List.of(B), List.of(C, A)));

  @ParameterizedTest
  @CsvSource({
    "-9223372036854775808, a",
    "-11, a",
    "-10, a",
    "-9, b",
    "0, b",
    "1, ca",
    "10, ca",
    "11, a",
    "9223372036854775807, a"
  })
  void a_token_belongs_to_the_range_that_ends_at_or_after_it(long token, String owners) {
    StringBuilder found = new StringBuilder();
    for (NodeId owner : replicas.of(new Token.Murmur3(token))) {
      found.append(Long.toHexString(owner.hostId().getLeastSignificantBits()));
    }
    assertThat(found).hasToString(owners);
  }

  @Test
  void one_range_is_the_whole_ring() {
    Ring.Replicas whole = new Ring.Replicas(List.of(new Token.Ordered("80")), List.of(List.of(A)));
    for (String hex : List.of("", "00", "80", "ff")) {
      assertThat(whole.of(new Token.Ordered(hex))).containsExactly(A);
    }
  }

  @Test
  void a_ring_without_ranges_is_refused() {
    assertThatThrownBy(() -> new Ring.Replicas(List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ordered_tokens_sort_as_their_bytes_do() {
    assertThat(new Token.Ordered("")).isLessThan(new Token.Ordered("00"));
    assertThat(new Token.Ordered("7f")).isLessThan(new Token.Ordered("80"));
    assertThat(new Token.Ordered("80")).isLessThan(new Token.Ordered("8000"));
  }

  @Test
  void tokens_are_written_as_cql() {
    assertThat(new Token.Murmur3(-5).toCql()).isEqualTo("-5");
    assertThat(new Token.Random(BigInteger.TWO.pow(127)).toCql())
        .isEqualTo("170141183460469231731687303715884105728");
    assertThat(new Token.Ordered("cafe").toCql()).isEqualTo("0xcafe");
  }
}
