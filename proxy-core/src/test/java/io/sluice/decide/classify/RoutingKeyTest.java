package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutingKeyTest {

  private final RoutingKeys keys = new RoutingKeys();

  @Test
  void each_column_of_a_composite_key_has_a_length_its_bytes_and_a_zero() {
    assertThat(keys.key("SELECT * FROM pair WHERE b = 'xy' AND a = 5"))
        .isEqualTo("0004" + "00000005" + "00" + "0002" + "7879" + "00");
    assertThat(keys.key("SELECT * FROM pair WHERE b = '' AND a = 5"))
        .isEqualTo("0004" + "00000005" + "00" + "0000" + "00");
  }

  @Test
  void values_are_bound_by_the_position_of_their_marker_in_the_whole_text() {
    ByteBuffer no = ByteBuffer.wrap(new byte[] {9});
    ByteBuffer one = ByteBuffer.wrap(new byte[] {1});
    ByteBuffer two = ByteBuffer.wrap(new byte[] {2, 2});
    assertThat(keys.key("SELECT v[?] FROM pair WHERE c > ? AND b = ? AND a = ?", no, no, two, one))
        .isEqualTo("000101000002020200");
    assertThat(keys.key("INSERT INTO pair (v, b, a) VALUES ((?, ?), ?, ?)", no, no, two, one))
        .isEqualTo("000101000002020200");
    assertThat(
            keys.key(
                "UPDATE pair USING TTL ? SET v = ? WHERE a = ? AND b = ? IF w = ?",
                no,
                no,
                one,
                two,
                no))
        .isEqualTo("000101000002020200");
    assertThat(keys.key("DELETE v[?] FROM pair WHERE a = ? AND b = ?", no, one, two))
        .isEqualTo("000101000002020200");
  }

  @Test
  void named_values_are_found_by_their_folded_or_quoted_name() {
    BoundValues named =
        new BoundValues() {
          @Override
          public @Nullable ByteBuffer get(int index) {
            return null;
          }

          @Override
          public @Nullable ByteBuffer get(String name) {
            return switch (name) {
              case "lower" -> ByteBuffer.wrap(new byte[] {1});
              case "Exact" -> ByteBuffer.wrap(new byte[] {2});
              default -> null;
            };
          }
        };
    Classified pair = keys.classify("SELECT * FROM pair WHERE a = :LOWER AND b = :\"Exact\"");
    assertThat(RoutingKeys.hex(pair.routingKey(named))).isEqualTo("000101000001" + "0200");
    assertThat(keys.classify("SELECT * FROM t WHERE k = :exact").routingKey(named)).isNull();
    assertThat(RoutingKeys.hex(keys.classify("SELECT * FROM t WHERE k = :a").routingKey(ints(7))))
        .isEqualTo("00000007");
  }

  @Test
  void a_missing_value_leaves_the_partition_unknown() {
    assertThat(keys.key("SELECT * FROM t WHERE k = ?")).isNull();
    assertThat(keys.key("SELECT * FROM pair WHERE a = 1 AND b = ?")).isNull();
    assertThat(keys.key("SELECT * FROM t WHERE k = null")).isNull();
  }

  @Test
  void an_empty_or_overlong_key_is_no_key() {
    assertThat(keys.key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(0))).isNull();
    assertThat(keys.key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(65_536))).isNull();
    assertThat(keys.key("SELECT * FROM t WHERE k = ?", ByteBuffer.allocate(65_535))).isNotNull();
    ByteBuffer half = ByteBuffer.allocate(40_000);
    assertThat(keys.key("SELECT * FROM pair WHERE a = ? AND b = ?", half, half)).isNull();
  }

  @Test
  void a_computed_or_repeated_value_is_no_key() {
    for (String doubtful :
        List.of(
            "k = uuid()",
            "k = 1 + 1",
            "k = - 1",
            "k = (bigint) 1",
            "k = 1 AND k = 1",
            "k = 1 AND k IN (1)",
            "k IN (1, 2)",
            "k IN ()",
            "k IN ?",
            "(k) = (1)",
            "k = [1]",
            "k = (1)",
            "k['x'] = 1",
            "k > 1",
            "k = 1.0",
            "k = 2147483648")) {
      assertThat(keys.key("SELECT * FROM t WHERE " + doubtful, ByteBuffer.allocate(4)))
          .as(doubtful)
          .isNull();
    }
    assertThat(keys.key("INSERT INTO t (k, k) VALUES (1, 1)")).isNull();
    assertThat(keys.key("INSERT INTO t JSON '{\"k\": 1}'")).isNull();
    assertThat(keys.key("SELECT * FROM by_varint WHERE k = (int) 5")).isNull();
  }

  @Test
  void a_hint_of_the_same_type_and_an_in_list_of_one_name_a_partition() {
    assertThat(keys.key("SELECT * FROM t WHERE k = (int) 5")).isEqualTo("00000005");
    assertThat(keys.key("SELECT * FROM t WHERE k IN (5)")).isEqualTo("00000005");
  }

  @Test
  void a_batch_has_the_key_of_its_first_statement() {
    assertThat(
            keys.key(
                "BEGIN BATCH DELETE FROM t WHERE k = 1; DELETE FROM t WHERE k = 2; APPLY BATCH"))
        .isEqualTo("00000001");
  }

  private static BoundValues ints(int... numbers) {
    List<ByteBuffer> values = new ArrayList<>();
    for (int number : numbers) {
      values.add(ByteBuffer.allocate(4).putInt(0, number));
    }
    return new RoutingKeys.Positional(values);
  }
}
