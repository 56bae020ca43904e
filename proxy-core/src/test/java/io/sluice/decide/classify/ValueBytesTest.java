package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@link ValueBytes}: the values that Cassandra accepts for a type. */
class ValueBytesTest {

  private static ByteBuffer hex(@Nullable String digits) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(digits == null ? "" : digits));
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint, 01",
    "boolean, 01",
    "smallint, 0001",
    "int, 00000001",
    "float, 3f800000",
    "date, 80000000",
    "bigint, 0000000000000001",
    "double, 3ff0000000000000",
    "time, 0000000000000001",
    "timestamp, 0000000000000001",
    "uuid, 1b3cddc9dde5460c80d2dcdb6d081ca4",
    "timeuuid, d732bc0084cc11e698738fcda574956e",
    "inet, 7f000001",
    "inet, 00000000000000000000000000000001",
    "decimal, 0000000001",
    "varint, 01",
    "ascii, 7e",
    "text, c3a4",
    "varchar, 61",
    "blob, ff",
  })
  void a_value_of_its_type_is_valid(String type, String value) {
    assertThat(ValueBytes.valid(type, hex(value))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint, 0001",
    "boolean, 0001",
    "smallint, 01",
    "int, 61",
    "float, 3f8000",
    "date, 0000000000000001",
    "bigint, 00000001",
    "double, 3f800000",
    "time, 01",
    "timestamp, 01",
    "uuid, 1b3cddc9",
    "timeuuid, 1b3cddc9dde5460c80d2dcdb6d081ca4",
    "timeuuid, 1b",
    "inet, 7f0000",
    "decimal, 0000",
    "ascii, c3a4",
    "text, ff",
    "varchar, c3",
  })
  void a_value_that_cassandra_refuses_is_not_valid(String type, String value) {
    assertThat(ValueBytes.valid(type, hex(value))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"int,", "frozen<list<int>>, 00000000", "tuple<int>, 0000000400000001"})
  void a_value_in_doubt_is_not_valid(String type, @Nullable String value) {
    assertThat(ValueBytes.valid(type, hex(value))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"text,", "ascii,", "blob,", "varchar,"})
  void a_text_may_be_empty(String type, @Nullable String value) {
    assertThat(ValueBytes.valid(type, hex(value))).isTrue();
  }
}
