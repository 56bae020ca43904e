package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.wire.ColumnType;
import io.sluice.wire.TestColumns;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.cassandra.cql3.CQL3Type;
import org.apache.cassandra.transport.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values of cells: as bytes on the wire, and as the JSON that Cassandra shows. */
class CellsTest {

  private static final UUID ID = new UUID(0x0123456789abcdefL, 0x8123456789abcdefL);

  private static ColumnType type(String cql) {
    return TestColumns.of("t", "c " + cql).get(0).type();
  }

  static Stream<Arguments> values() throws UnknownHostException {
    return Stream.of(
        Arguments.of("text", "a\"é", "6122c3a9", "\"a\\\"é\""),
        Arguments.of("text", "", "", "\"\""),
        Arguments.of("int", -2, "fffffffe", "-2"),
        Arguments.of("bigint", 1L << 40, "0000010000000000", "1099511627776"),
        Arguments.of("double", -0.5, "bfe0000000000000", "-0.5"),
        Arguments.of("double", Double.NaN, "7ff8000000000000", "null"),
        Arguments.of("double", Double.NEGATIVE_INFINITY, "fff0000000000000", "null"),
        Arguments.of("boolean", true, "01", "true"),
        Arguments.of("boolean", false, "00", "false"),
        Arguments.of("blob", new byte[] {0, 10, -1}, "000aff", "\"0x000aff\""),
        Arguments.of("blob", new byte[0], "", "\"0x\""),
        Arguments.of(
            "timestamp",
            Instant.ofEpochMilli(-1),
            "ffffffffffffffff",
            "\"1969-12-31 23:59:59.999Z\""),
        Arguments.of("uuid", ID, "0123456789abcdef8123456789abcdef", "\"" + ID + "\""),
        Arguments.of(
            "inet", InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), "0a000001", "\"10.0.0.1\""),
        Arguments.of(
            "inet",
            InetAddress.getByAddress(HexFormat.of().parseHex("00".repeat(15) + "01")),
            "00".repeat(15) + "01",
            "\"0:0:0:0:0:0:0:1\""));
  }

  @ParameterizedTest
  @MethodSource("values")
  void each_type_has_its_bytes_and_its_json(String type, Object value, String hex, String json)
      throws NotAnswerable {
    ByteBuffer cell = Objects.requireNonNull(Cells.of(value));
    assertThat(HexFormat.of().formatHex(Cells.array(cell))).isEqualTo(hex);
    assertThat(Cells.json(cell, type(type))).isEqualTo(json);
    assertThat(json)
        .as("as Cassandra shows it")
        .isEqualTo(
            CQL3Type.Native.valueOf(type.toUpperCase(Locale.ROOT))
                .getType()
                .toJSONString(cell, ProtocolVersion.V5));
    assertThat(cell.position()).as("the position after reading").isZero();
    assertThat(Cells.json(cell, type(type))).as("read again").isEqualTo(json);
  }

  @Test
  void null_has_no_bytes_and_is_null_in_json() throws NotAnswerable {
    assertThat(Cells.of(null)).isNull();
    assertThat(Cells.json(null, type("int"))).isEqualTo("null");
    assertThat(Cells.json(null, type("map<uuid;blob>"))).isEqualTo("null");
  }

  @Test
  void a_value_of_another_class_has_no_cell() {
    assertThatThrownBy(() -> Cells.of(1.5f))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Float");
  }

  /** Returns the bytes of a collection of these elements. */
  private static ByteBuffer collection(int count, @Nullable Object... elements) {
    ByteBuffer out = ByteBuffer.allocate(200).putInt(count);
    for (Object element : elements) {
      ByteBuffer cell = Objects.requireNonNull(Cells.of(element));
      out.putInt(cell.remaining()).put(cell);
    }
    return out.flip();
  }

  @Test
  void a_set_is_a_list_in_json() throws NotAnswerable {
    assertThat(Cells.json(collection(2, "a", "b"), type("set<text>"))).isEqualTo("[\"a\", \"b\"]");
    assertThat(Cells.json(collection(1, 7), type("set<int>"))).isEqualTo("[7]");
    assertThat(Cells.json(collection(0), type("set<text>"))).isEqualTo("[]");
  }

  @Test
  void a_map_of_uuids_to_blobs_is_an_object_in_json() throws NotAnswerable {
    ColumnType map = type("map<uuid;blob>");
    assertThat(Cells.json(collection(0), map)).isEqualTo("{}");
    assertThat(Cells.json(collection(2, ID, new byte[] {1}, new UUID(0, 0), new byte[0]), map))
        .isEqualTo("{\"" + ID + "\": \"0x01\", \"" + new UUID(0, 0) + "\": \"0x\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"list<int>", "float", "ascii", "tuple<int;text>"})
  void json_of_another_type_is_not_supported(String type) {
    ByteBuffer cell = ByteBuffer.wrap("abcd".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> Cells.json(cell, type(type)))
        .isInstanceOf(NotAnswerable.class)
        .hasMessageContaining("JSON of a column of type");
  }

  @Test
  void bytes_of_a_slice_are_those_between_position_and_limit() {
    ByteBuffer whole = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5});
    ByteBuffer part = whole.duplicate().position(1).limit(4);
    assertThat(Cells.array(part)).containsExactly(2, 3, 4);
    assertThat(Cells.array(Cells.next(part, 2))).containsExactly(2, 3);
    assertThat(Cells.array(part)).as("the rest").containsExactly(4);
  }
}
