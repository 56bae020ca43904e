package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.execute.merge.Merger.Answered;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what the answers to a piece teach of the table's density. Keys are their own tokens. */
class DensityFeedbackTest {

  private static final TestPartitioner LONG_KEYS =
      new TestPartitioner(key -> key.getLong(key.position()));
  private static final long QUARTER = Long.MIN_VALUE / 2;
  private static final long HALF = 0;
  private static final long THREE_QUARTERS = -QUARTER;

  /** The rows of each range that was learned, in their order. */
  private final List<Long> learned = new ArrayList<>();

  private final TableDensity density =
      new Densities((estimated, actual) -> learned.add(actual))
          .of(new Table("ks", "t", List.of(new Table.KeyColumn("k", "bigint"))), split());
  private DensityFeedback feedback = new DensityFeedback(null);

  /** Returns the split of a statement that returns all rows. */
  private static Splittable split() {
    Frame request = TestFrames.page(PageFixture.ALL, -1, null);
    try (PageFixture fixture = new PageFixture(SplitConfig.defaults())) {
      return Objects.requireNonNull(fixture.statement(request).range()).split();
    } finally {
      request.release();
    }
  }

  private void learn(int rows, boolean complete, @Nullable Long lastKey, @Nullable Long end) {
    ByteBuffer key =
        lastKey == null ? null : ByteBuffer.allocate(Long.BYTES).putLong(0, lastKey.longValue());
    Token upTo = end == null ? null : new Token.Murmur3(end);
    feedback.learn(new Answered(rows, rows * 70L, complete, key), upTo, density, LONG_KEYS);
  }

  private void has(double rows, @Nullable Long after, @Nullable Long upTo) {
    TokenRange range =
        new TokenRange(
            after == null ? null : new Token.Murmur3(after),
            upTo == null ? null : new Token.Murmur3(upTo));
    assertThat(density.rows(range)).isCloseTo(rows, within(0.01 * rows));
  }

  @Test
  void a_complete_piece_is_learned_up_to_its_end() {
    learn(100, true, null, QUARTER);
    assertThat(learned).containsExactly(100L);
    has(100, null, QUARTER);
    assertThat(density.bytesPerRow()).isEqualTo(70);
  }

  @Test
  void the_end_of_the_last_piece_is_that_of_the_ring() {
    feedback = new DensityFeedback(new Token.Murmur3(THREE_QUARTERS));
    learn(100, true, null, null);
    has(100, THREE_QUARTERS, null);
  }

  @Test
  void a_part_of_a_piece_is_learned_up_to_the_token_of_its_last_row() {
    feedback = new DensityFeedback(new Token.Murmur3(QUARTER));
    learn(100, false, HALF, THREE_QUARTERS);
    assertThat(learned).containsExactly(100L);
    has(100, QUARTER, HALF);
  }

  @Test
  void the_next_answer_is_learned_from_there_on() {
    learn(100, false, QUARTER, THREE_QUARTERS);
    learn(300, false, HALF, THREE_QUARTERS);
    learn(50, true, null, THREE_QUARTERS);
    assertThat(learned).containsExactly(100L, 300L, 50L);
    has(100, null, QUARTER);
    has(300, QUARTER, HALF);
    has(50, HALF, THREE_QUARTERS);
  }

  @Test
  void rows_up_to_an_unknown_key_are_learned_with_the_next_answer() {
    learn(100, false, null, HALF);
    assertThat(learned).isEmpty();
    learn(60, true, null, HALF);
    assertThat(learned).containsExactly(160L);
    assertThat(density.bytesPerRow()).isEqualTo(70);
  }

  /** A partition may have more rows than an answer. */
  @Test
  void further_rows_of_one_partition_are_learned_with_those_after_it() {
    learn(100, false, QUARTER, HALF);
    learn(40, false, QUARTER, HALF);
    learn(30, false, QUARTER, HALF);
    assertThat(learned).containsExactly(100L);
    learn(2, true, null, HALF);
    assertThat(learned).containsExactly(100L, 72L);
    has(72, QUARTER, HALF);
  }

  @Test
  void an_empty_piece_is_learned_too() {
    learn(0, true, null, HALF);
    assertThat(learned).containsExactly(0L);
    assertThat(density.known()).isTrue();
  }
}
