package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The conversion of a node's ranges to token ranges. */
class NodeEstimatesTest {

  private static final Token MINIMUM = DriverPartitioner.MURMUR3.minimum();

  private static Token at(double position) {
    return new Token.Murmur3((long) ((position - 0.5) * 0x1p64));
  }

  @Test
  void the_minimum_token_is_an_open_end() {
    assertThat(NodeEstimates.counted(MINIMUM, at(0.5), 7, 9))
        .containsExactly(new Counted(new TokenRange(null, at(0.5)), 7, 9));
    assertThat(NodeEstimates.counted(at(0.5), MINIMUM, 7, 9))
        .containsExactly(new Counted(new TokenRange(at(0.5), null), 7, 9));
    assertThat(NodeEstimates.counted(MINIMUM, MINIMUM, 7, 9))
        .containsExactly(new Counted(TokenRange.ALL, 7, 9));
  }

  @Test
  void a_range_across_the_end_of_the_ring_is_split_by_width() {
    assertThat(NodeEstimates.counted(at(0.875), at(0.375), 100, 9))
        .containsExactly(
            new Counted(new TokenRange(at(0.875), null), 25, 9),
            new Counted(new TokenRange(null, at(0.375)), 75, 9));
  }

  @Test
  void a_range_of_keys_in_byte_order_is_split_in_halves() {
    Token after = new Token.Ordered("cc");
    Token upTo = new Token.Ordered("11");
    assertThat(NodeEstimates.counted(after, upTo, 7, 9))
        .extracting(Counted::partitions)
        .containsExactly(4L, 3L);
  }

  @Test
  void a_token_of_cassandras_own_tables_is_not_written_as_in_cql() {
    assertThat(DriverPartitioner.MURMUR3.recorded("-42")).isEqualTo(new Token.Murmur3(-42));
    assertThat(DriverPartitioner.RANDOM.recorded("-1"))
        .isEqualTo(DriverPartitioner.RANDOM.minimum());
    assertThat(DriverPartitioner.BYTE_ORDERED.recorded("CAfe"))
        .isEqualTo(new Token.Ordered("cafe"));
    assertThat(Objects.requireNonNull(DriverPartitioner.BYTE_ORDERED.recorded("")).isMinimum())
        .isTrue();
    assertThat(DriverPartitioner.MURMUR3.recorded("nonsense")).isNull();
  }
}
