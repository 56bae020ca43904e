package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@link Values} and {@link Primitives}: the parts of a body, and claims it cannot keep.
 */
class ValuesTest {

  private static final String NULL = "ffffffff";
  private static final String UNSET = "fffffffe";

  private static ByteBuf bytes(String hex) {
    return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
  }

  private static Values values(String hex, boolean named) {
    return Values.read(bytes(hex), named);
  }

  private static String hex(@Nullable ByteBuffer value) {
    return value == null ? "none" : ByteBufUtil.hexDump(Unpooled.wrappedBuffer(value));
  }

  @Test
  void values_by_position_are_found_by_position_only() {
    Values values = values("0004 00000001 07 " + NULL + UNSET + "00000000", false);
    assertThat(values.count()).isEqualTo(4);
    assertThat(values.named()).isFalse();
    assertThat(List.of(hex(values.get(0)), hex(values.get(1)), hex(values.get(2))))
        .containsExactly("07", "none", "none");
    assertThat(values.get(3)).isNotNull();
    assertThat(values.get(4)).isNull();
    assertThat(values.get(-1)).isNull();
    assertThat(values.get("a")).isNull();
    assertThat(values.has("a")).isFalse();
  }

  @Test
  void values_by_name_are_found_by_name_and_the_first_of_two_counts() {
    Values values = values("0003 0001 61 00000001 07 0001 62" + NULL + "0001 61 00000001 09", true);
    assertThat(values.named()).isTrue();
    assertThat(hex(values.get("a"))).isEqualTo("07");
    assertThat(values.get("b")).isNull();
    assertThat(values.has("b")).as("null is a value").isTrue();
    assertThat(values.has("c")).isFalse();
    assertThat(values.get(0)).isNull();
  }

  /** An unset value leaves a column as it is; null deletes it. */
  @Test
  void null_unset_and_missing_are_three_things() {
    Values values = values("0003 00000001 07" + NULL + UNSET, false);
    assertThat(values.isUnset(0, null)).isFalse();
    assertThat(values.isUnset(1, null)).isFalse();
    assertThat(values.isUnset(2, null)).isTrue();
    assertThat(values.isUnset(3, null)).isFalse();
    List<ReadTemplate.Bound> all =
        List.of(
            new ReadTemplate.Bound(2, null, null),
            new ReadTemplate.Bound(1, null, null),
            new ReadTemplate.Bound(0, null, null),
            new ReadTemplate.Bound(9, null, null));
    assertThat(ByteBufUtil.hexDump(values.bytes(all)))
        .isEqualTo(UNSET + NULL + "0000000107" + NULL);
    Values named = values("0001 0001 61" + UNSET, true);
    assertThat(named.isUnset(5, "a")).isTrue();
    assertThat(named.isUnset(5, "b")).isFalse();
    assertThat(Values.NONE.isUnset(0, null)).isFalse();
    assertThat(Values.NONE.get("a")).isNull();
  }

  @Test
  void a_value_is_repeated_for_each_further_marker_with_its_name() {
    Values named = values("0002 0001 61 00000003 070809 0001 62" + NULL, true);
    ReadTemplate.Bound a = new ReadTemplate.Bound(0, "a", null);
    ReadTemplate.Bound b = new ReadTemplate.Bound(1, "b", null);
    ReadTemplate.Bound missing = new ReadTemplate.Bound(2, "c", null);
    assertThat(named.repeatedBytes(List.of(a, b, missing, missing))).isZero();
    assertThat(named.repeatedBytes(List.of(a, b, a))).isEqualTo(4 + 3);
    assertThat(named.repeatedBytes(List.of(a, a, b, a, b))).isEqualTo(4 + 3 + 4 + 3 + 4);
    assertThat(values("0001 00000003 070809", false).repeatedBytes(List.of(a, a))).isZero();
    assertThat(Values.NONE.repeatedBytes(List.of(a, a))).isZero();
  }

  @Test
  void a_value_is_a_copy() {
    ByteBuf body = bytes("0001 00000001 07");
    Values values = Values.read(body, false);
    ByteBuffer copy = values.get(0);
    body.setByte(6, 9);
    assertThat(hex(copy)).isEqualTo("07");
  }

  @ParameterizedTest
  @CsvSource({
    "'ffff', false",
    "'0002 00000001 07', false",
    "'0001 00000002 07', false",
    "'0001 fffffffd', false",
    "'0001 80000000', false",
    "'0001 0002 61', true",
    "'0001 0001 61', true",
    "'0001', true"
  })
  void values_that_end_outside_the_body_are_refused(String hex, boolean named) {
    assertThatThrownBy(() -> values(hex, named)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static void refuses(String hex, Consumer<ByteBuf> read) {
    ByteBuf in = bytes(hex);
    assertThatThrownBy(() -> read.accept(in)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void an_announced_length_is_checked_before_memory_is_taken() {
    refuses("7fffffff 61", Primitives::readLongString);
    refuses("ffffffff", Primitives::readLongString);
    refuses("7fffffff 61", Primitives::readBytes);
    refuses("ffff 61", Primitives::readShortBytes);
    refuses("ffff 61", Primitives::readString);
    refuses("ffff", Primitives::readStringList);
    refuses("ffff 0000", Primitives::readStringMap);
    refuses("0001 0001 61", Primitives::skipBytesMap);
    refuses("0002 0001 61", Primitives::skipStringList);
    refuses("fffffffd", Primitives::skipBytes);
  }

  @Test
  void the_most_elements_that_fit_are_read() {
    assertThat(Primitives.readStringList(bytes("0002 0000 0001 61"))).containsExactly("", "a");
    assertThat(Primitives.readStringMap(bytes("0001 0001 61 0001 62"))).containsEntry("a", "b");
    assertThat(Primitives.readBytes(bytes(NULL))).isNull();
    assertThat(Primitives.readBytes(bytes("00000000"))).isEmpty();
    assertThat(Primitives.readCount(bytes("0002 0000 0000"), 2)).isEqualTo(2);
    refuses("0003 0000 0000", in -> Primitives.readCount(in, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {NULL, UNSET, "00000000", "00000001 07"})
  void a_skipped_value_is_skipped_whole(String value) {
    ByteBuf in = bytes(value + "2a");
    Primitives.skipBytes(in);
    assertThat(in.readByte()).isEqualTo((byte) 42);
    assertThat(in.isReadable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "c328", "ff", "eda080", "f8808080"})
  void text_that_is_no_utf8_is_refused_where_cassandra_refuses_it(String text) {
    ByteBuf in = bytes("%04x".formatted(text.length() / 2) + text);
    assertThatThrownBy(() -> Primitives.readString(in))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot decode string as UTF8");
  }
}
