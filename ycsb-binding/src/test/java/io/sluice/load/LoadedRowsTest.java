package io.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of answers in a table where a key is its own token. */
class LoadedRowsTest {
  private final LoadedRows rows = loaded(false, 10, 20, 30, 40);

  private static LoadedRows loaded(boolean mayGrow, long... keys) {
    return new LoadedRows(
        LongStream.of(keys).mapToObj(LoadedRowsTest::key), LoadedRowsTest::token, mayGrow);
  }

  private static ByteBuffer key(long key) {
    return ByteBuffer.allocate(8).putLong(0, key);
  }

  private static Token token(ByteBuffer key) {
    return new Murmur3Token(key.getLong(0));
  }

  private static ScanRange range(long from, int limit) {
    return new ScanRange(new Murmur3Token(from), null, limit);
  }

  private static List<SeenRow> seen(long... keys) {
    return LongStream.of(keys).mapToObj(k -> new SeenRow(key(k), true)).toList();
  }

  private static String verdict(LoadedRows rows, ScanRange range, List<SeenRow> seen) {
    return rows.fault(range, seen).map(f -> f.failure().name()).orElse("right");
  }

  @Test
  void the_expected_rows_begin_at_the_start_and_end_at_the_limit_the_bound_or_the_ring() {
    assertThat(rows.expected(range(10, 3))).isEqualTo(3);
    assertThat(rows.expected(range(11, 9))).isEqualTo(3);
    assertThat(rows.expected(range(41, 9))).isZero();
    assertThat(rows.expected(ScanRange.whole())).isEqualTo(4);
    assertThat(rows.expected(new ScanRange(new Murmur3Token(20), new Murmur3Token(30), 9)))
        .isEqualTo(2);
  }

  @Test
  void the_rows_that_were_loaded_in_ring_order_are_right() {
    assertThat(verdict(rows, range(15, 2), seen(20, 30))).isEqualTo("right");
    assertThat(verdict(rows, range(15, 9), seen(20, 30, 40))).isEqualTo("right");
    assertThat(verdict(rows, range(41, 9), seen())).isEqualTo("right");
  }

  @Test
  void fewer_rows_than_there_are_is_short() {
    assertThat(verdict(rows, range(15, 3), seen(20, 30))).isEqualTo("SHORT_READ");
    assertThat(verdict(rows, range(15, 3), seen())).isEqualTo("SHORT_READ");
    assertThat(verdict(rows, range(15, 3), seen(20, 40))).isEqualTo("SHORT_READ");
    assertThat(verdict(rows, range(15, 9), seen(30, 40))).isEqualTo("SHORT_READ");
  }

  @Test
  void missing_doubled_swapped_outside_or_surplus_rows_are_wrong() {
    assertThat(verdict(rows, range(15, 2), seen(20, 40))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(rows, range(15, 3), seen(20, 20, 30))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(rows, range(15, 3), seen(30, 20, 40))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(rows, range(15, 3), seen(10, 20, 30))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(rows, range(15, 1), seen(20, 30))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(rows, range(15, 3), seen(25))).isEqualTo("WRONG_ROWS");
  }

  @Test
  void a_row_that_does_not_fit_its_checksum_is_wrong() {
    assertThat(verdict(rows, range(15, 1), List.of(new SeenRow(key(20), false))))
        .isEqualTo("WRONG_ROWS");
  }

  @Test
  void a_row_that_was_never_loaded_is_wrong_unless_rows_may_be_added() {
    assertThat(verdict(rows, range(15, 3), seen(20, 25, 30))).isEqualTo("WRONG_ROWS");
    assertThat(verdict(loaded(true, 10, 20, 30, 40), range(15, 3), seen(20, 25, 30)))
        .isEqualTo("right");
  }

  @Test
  void a_count_is_exact_unless_rows_may_be_added() {
    assertThat(rows.fault(4)).isEmpty();
    assertThat(rows.fault(3)).isPresent();
    assertThat(rows.fault(5)).isPresent();
    assertThat(loaded(true, 10, 20).fault(5)).isEmpty();
    assertThat(loaded(true, 10, 20).fault(1)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void of_all_sub_lists_only_the_expected_one_is_right(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2000; round++) {
      long[] keys = random.longs(8, -20, 20).distinct().toArray();
      LoadedRows some = loaded(false, keys);
      ScanRange range =
          new ScanRange(
              new Murmur3Token(random.nextInt(-22, 22)),
              random.nextBoolean() ? null : new Murmur3Token(random.nextInt(-22, 22)),
              1 + random.nextInt(9));
      List<Long> right = expected(keys, range);
      List<Long> answer = new ArrayList<>(right);
      change(answer, random);

      List<SeenRow> seen = answer.stream().map(k -> new SeenRow(key(k), true)).toList();
      assertThat(some.fault(range, seen).isEmpty())
          .as("%s of %s in %s", answer, Arrays.toString(keys), range)
          .isEqualTo(answer.equals(right));
      assertThat(some.expected(range)).isEqualTo(right.size());
    }
  }

  private static List<Long> expected(long[] keys, ScanRange range) {
    return LongStream.of(keys)
        .filter(k -> new Murmur3Token(k).compareTo(range.from()) >= 0)
        .filter(k -> range.to() == null || new Murmur3Token(k).compareTo(range.to()) <= 0)
        .sorted()
        .limit(range.limit())
        .boxed()
        .toList();
  }

  private static void change(List<Long> answer, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> answer.add(random.nextInt(answer.size() + 1), random.nextLong(-22, 22));
      case 1 ->
          IntStream.range(0, Math.min(1, answer.size()))
              .forEach(i -> answer.remove(random.nextInt(answer.size())));
      case 2 -> Collections.reverse(answer);
      default -> {}
    }
  }
}
