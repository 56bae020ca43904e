package io.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowChecksumTest {
  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static long sum(String key, String... namesAndValues) {
    Map<String, ByteBuffer> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(namesAndValues[i], text(namesAndValues[i + 1]));
    }
    return RowChecksum.of(text(key), values);
  }

  @Test
  void the_order_in_which_columns_come_does_not_matter() {
    assertThat(sum("k", "a", "1", "b", "2")).isEqualTo(sum("k", "b", "2", "a", "1"));
  }

  @Test
  void key_names_values_and_where_each_ends_do_matter() {
    assertThat(sum("k", "a", "1", "b", "2"))
        .isNotEqualTo(sum("l", "a", "1", "b", "2"))
        .isNotEqualTo(sum("k", "a", "2", "b", "1"))
        .isNotEqualTo(sum("k", "a", "1", "c", "2"))
        .isNotEqualTo(sum("k", "a", "1"));
    assertThat(sum("k", "a", "xy")).isNotEqualTo(sum("k", "ax", "y"));
  }

  @Test
  void the_values_can_still_be_read() {
    ByteBuffer value = text("v");
    RowChecksum.of(text("k"), Map.of("a", value));

    assertThat(value.remaining()).isEqualTo(1);
  }
}
