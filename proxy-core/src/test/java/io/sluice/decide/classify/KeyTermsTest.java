package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of {@link KeyTerms}, {@link KeyResolver} and {@link TokenTerm}: which partitions and which
 * token a statement names. A wrong one would send it to a node without its rows.
 */
class KeyTermsTest {

  private static final int LONGEST = 0xFFFF;

  private final RoutingKeys keys = new RoutingKeys();

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length);
  }

  private static ByteBuffer list(int count, int... lengths) {
    int size = Integer.BYTES;
    for (int length : lengths) {
      size += Integer.BYTES + length;
    }
    ByteBuffer list = ByteBuffer.allocate(size).putInt(count);
    for (int length : lengths) {
      list.putInt(length).position(list.position() + length);
    }
    return list.flip();
  }

  private int partitions(String cql, ByteBuffer... values) {
    return keys.classify(cql).partitions(new RoutingKeys.Positional(List.of(values)));
  }

  @Test
  void a_bound_list_counts_as_many_partitions_as_it_has_elements() {
    String cql = "SELECT * FROM t WHERE k IN ?";
    assertThat(partitions(cql, list(3, 4, 4, 4))).isEqualTo(3);
    assertThat(partitions(cql, list(0))).isZero();
    assertThat(partitions(cql)).as("missing").isEqualTo(1);
    assertThat(partitions(cql, bytes(3))).as("no count").isEqualTo(1);
  }

  /** An expression, its span and its text take 112 bytes; a token, as a part of them, 64. */
  @Test
  void a_read_keeps_all_of_its_terms_and_a_write_those_of_its_key() {
    String list = "1" + ",1".repeat(9_999);
    assertThat(keys.classify("SELECT * FROM t WHERE v IN (" + list + ")").heapBytes())
        .isBetween(1_120_000L, 1_400_000L);
    assertThat(keys.classify("DELETE FROM t WHERE k IN (" + list + ")").heapBytes())
        .isBetween(1_120_000L, 1_200_000L);
    assertThat(keys.classify("INSERT INTO t (k, v) VALUES (1, {" + list + "})").heapBytes())
        .isBetween(100L, 200L);
  }

  /** The count is the client's claim. */
  @Test
  void a_bound_list_has_no_more_partitions_than_its_bytes_can_hold() {
    String cql = "SELECT * FROM t WHERE k IN ?";
    assertThat(partitions(cql, list(Integer.MAX_VALUE, 0, 0))).isEqualTo(2);
    assertThat(partitions(cql, list(-5, 4))).isZero();
  }

  @Test
  void lists_of_several_columns_are_multiplied_without_overflow() {
    String cql = "SELECT * FROM pair WHERE a IN ? AND b IN ?";
    assertThat(partitions(cql, list(2, 4, 4), list(3, 1, 1, 1))).isEqualTo(6);
    int many = 60_000;
    ByteBuffer large = list(many, new int[many]);
    assertThat(partitions(cql, large, large)).isEqualTo(Integer.MAX_VALUE);
    assertThat(partitions("SELECT * FROM pair WHERE a IN ? AND b = 'x'", large)).isEqualTo(many);
  }

  @Test
  void only_reads_of_whole_keys_name_partitions() {
    assertThat(partitions("SELECT * FROM t WHERE k = 1")).isEqualTo(1);
    assertThat(partitions("SELECT * FROM t")).isZero();
    assertThat(partitions("INSERT INTO t (k) VALUES (1)")).isZero();
    assertThat(partitions("SELECT * FROM pair WHERE a IN (1, 2)")).isZero();
  }

  @Test
  void a_composite_key_may_have_an_empty_component_and_a_single_one_may_not() {
    String pair = "SELECT * FROM pair WHERE a = ? AND b = ?";
    assertThat(keys.key(pair, bytes(0), bytes(0))).isEqualTo("000000" + "000000");
    assertThat(keys.key("SELECT * FROM t WHERE k = ?", bytes(0))).isNull();
  }

  @Test
  void a_key_and_each_of_its_components_fit_into_two_bytes_of_length() {
    String pair = "SELECT * FROM pair WHERE a = ? AND b = ?";
    assertThat(keys.key(pair, bytes(LONGEST - 7), bytes(1))).hasSize(2 * LONGEST);
    assertThat(keys.key(pair, bytes(LONGEST - 6), bytes(1))).isNull();
    assertThat(keys.key(pair, bytes(LONGEST + 1), bytes(1))).isNull();
    String single = "SELECT * FROM t WHERE k = ?";
    assertThat(keys.key(single, bytes(LONGEST))).hasSize(2 * LONGEST);
    assertThat(keys.key(single, bytes(LONGEST + 1))).isNull();
  }

  @Test
  void values_are_read_without_moving_their_positions() {
    ByteBuffer value = ByteBuffer.wrap(new byte[] {9, 9, 1, 2}).position(2).slice();
    String pair = "SELECT * FROM pair WHERE a = ? AND b = ?";
    assertThat(keys.key(pair, value, value)).isEqualTo("0002010200" + "0002010200");
    assertThat(value.remaining()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a = 1 AND b = 'x'                  | POINT_READ       | same
          b = 'x' AND a = 1                  | POINT_READ       | same
          a = 1 AND b = 'x' AND a > 0        | POINT_READ       | same
          a = 1 AND b = 'x' AND (c) = (3)    | POINT_READ       | same
          a = 1 AND b = 'x' AND token(a) > 0 | POINT_READ       | same
          a = 1 AND b IN ('x')               | MULTI_POINT_READ | same
          a = 1 AND b = 'x' AND b = 'x'      | POINT_READ       |
          a = 1 AND b = 'x' AND b = 'y'      | POINT_READ       |
          a = 1 AND b IN ('x') AND b = 'x'   | MULTI_POINT_READ |
          a = 1 AND b IN ('x', 'y')          | MULTI_POINT_READ |
          a = 1 AND b IN ()                  | MULTI_POINT_READ |
          a = 1 AND b IN ?                   | MULTI_POINT_READ |
          a = 1 AND b = a                    | POINT_READ       |
          a = 1 AND b = f('x')               | POINT_READ       |
          a = 1 AND b = (text) 'x'           | POINT_READ       | same
          a = 1 AND b = (ascii) 'x'          | POINT_READ       |
          a = 1                              | RANGE_READ       |
          a = 1 AND b > 'x'                  | RANGE_READ       |
          a = 1 AND b != 'x'                 | RANGE_READ       |
          a = 1 AND b NOT IN ('x')           | RANGE_READ       |
          a = 1 AND b LIKE 'x'               | RANGE_READ       |
          a = 1 AND b CONTAINS 'x'           | RANGE_READ       |
          a = 1 AND b['x'] = 'x'             | RANGE_READ       |
          a = 1 AND b.x = 'x'                | RANGE_READ       |
          a = 1 AND "B" = 'x'                | RANGE_READ       |
          a = 1 AND b BETWEEN 'x' AND 'x'    | RANGE_READ       |
          a = 1 AND b IS NOT NULL            | RANGE_READ       |
          (a, b) = (1, 'x')                  | RANGE_READ       |
          """)
  void a_read_names_a_partition_if_each_column_of_the_key_has_one_value(
      String where, StatementShape shape, @Nullable String key) {
    String cql = "SELECT * FROM pair WHERE " + where;
    assertThat(keys.classify(cql).shape()).isEqualTo(shape);
    assertThat(keys.key(cql)).isEqualTo(key == null ? null : "0004000000010000017800");
  }

  private @Nullable String token(String comparison, ByteBuffer... values) {
    Classified verdict = keys.classify("SELECT * FROM t WHERE token(k) " + comparison);
    Token start = verdict.startToken(new RoutingKeys.Positional(List.of(values)));
    return start == null ? null : start.toCql();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          > 5                                  | 5
          >= -5                                | -5
          = 5                                  | 5
          BETWEEN 5 AND 9                      | 5
          < 5                                  |
          <= 5                                 |
          < 9 AND token(k) > 5                 | 5
          != 5                                 |
          IN (5)                               |
          > 99999999999999999999               |
          > 5.0                                |
          > '5'                                |
          > token(7)                           | 7
          > token(7, 8)                        |
          > token('x')                         |
          > token(k)                           |
          > f(7)                               |
          > (bigint) 5                         |
          > 2 + 3                              |
          > null                               |
          """)
  void a_range_read_begins_at_its_lower_bound(String comparison, @Nullable String start) {
    assertThat(token(comparison)).isEqualTo(start);
  }

  @Test
  void a_bound_token_is_eight_bytes() {
    ByteBuffer five = ByteBuffer.allocate(8).putLong(0, 5);
    assertThat(token("> ?", five)).isEqualTo("5");
    assertThat(token("> ?")).isNull();
    assertThat(token("> ?", ByteBuffer.allocate(4))).isNull();
    assertThat(token("> token(?)", ByteBuffer.allocate(4).putInt(0, 6))).isEqualTo("6");
    assertThat(token("> token(?)")).isNull();
  }

  /** Cassandra refuses the read with the client's value. A token of its bytes would hide that. */
  @Test
  void a_value_that_is_not_of_the_key_s_type_has_no_token() {
    assertThat(token("> token(?)", ByteBuffer.allocate(1))).isNull();
    assertThat(token("> token(?)", ByteBuffer.allocate(8))).isNull();
  }

  @Test
  void each_comparison_of_the_key_s_token_has_its_own_value() {
    Classified verdict =
        keys.classify("SELECT * FROM t WHERE token(k) > 5 AND token(k) <= 9 AND token(x) > 7");
    List<Restriction> where = Objects.requireNonNull(verdict.select()).where().restrictions();
    assertThat(verdict.token(where.get(0), BoundValues.NONE)).hasToString(token(verdict, 5));
    assertThat(verdict.token(where.get(1), BoundValues.NONE)).hasToString(token(verdict, 9));
    assertThat(verdict.token(where.get(2), BoundValues.NONE)).as("no key").isNull();
  }

  private static String token(Classified verdict, long value) {
    assertThat(verdict.shape()).isEqualTo(StatementShape.RANGE_READ);
    return String.valueOf(TestPartitioner.BYTE_SUMS.fromLiteral(Long.toString(value)));
  }

  @ParameterizedTest
  @CsvSource({
    "LIMIT 5, 5",
    "LIMIT 0, -1",
    "LIMIT -5, -1",
    "LIMIT 2147483647, 2147483647",
    "LIMIT 2147483648, -1",
    "LIMIT ?, 7",
    "LIMIT '5', -1",
    "LIMIT 2 + 3, -1",
    "LIMIT (int) 5, -1",
    "ALLOW FILTERING, -1"
  })
  void a_limit_is_a_positive_int(String clause, int limit) {
    Classified verdict = keys.classify("SELECT * FROM t " + clause);
    ByteBuffer seven = ByteBuffer.allocate(4).putInt(0, 7);
    assertThat(verdict.limit(new RoutingKeys.Positional(List.of(seven)))).isEqualTo(limit);
    String per = clause.startsWith("LIMIT") ? "PER PARTITION " + clause : clause;
    assertThat(
            keys.classify("SELECT * FROM t " + per)
                .perPartitionLimit(new RoutingKeys.Positional(List.of(seven))))
        .isEqualTo(limit);
  }

  @Test
  void a_bound_limit_has_four_bytes_and_is_above_zero() {
    Classified verdict = keys.classify("SELECT * FROM t LIMIT ?");
    for (ByteBuffer wrong : List.of(bytes(0), bytes(2), bytes(8).putInt(0, 5), bytes(4))) {
      assertThat(verdict.limit(new RoutingKeys.Positional(List.of(wrong)))).isEqualTo(-1);
    }
    assertThat(verdict.limit(BoundValues.NONE)).as("missing").isEqualTo(-1);
  }
}
