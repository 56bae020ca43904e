package io.sluice.agent.hint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HintTest {
  private static final byte[] WIDTH_3_ROWS_258 = {1, 0, 3, 0, 0, 1, 2};

  @Test
  void it_is_a_format_a_width_and_the_rows() {
    assertThat(Hint.of(3, 258).bytes()).isEqualTo(WIDTH_3_ROWS_258);
    assertThat(Hint.in(Map.of("sluice", WIDTH_3_ROWS_258))).hasToString("width 3, rows 258");
  }

  @Test
  void reading_it_does_not_move_the_position_of_the_payload() {
    ByteBuffer payload = ByteBuffer.wrap(WIDTH_3_ROWS_258);

    assertThat(Hint.in(Map.of("sluice", payload))).hasToString("width 3, rows 258");
    assertThat(payload.remaining()).isEqualTo(7);
  }

  @Test
  void it_may_grow_at_its_end() {
    byte[] longer = {1, 0, 3, 0, 0, 1, 2, 9, 9};

    assertThat(Hint.in(Map.of("sluice", longer))).hasToString("width 3, rows 258");
  }

  @Test
  void it_may_leave_the_width_to_the_coordinator() {
    byte[] rowsOnly = {1, 0, 0, 0, 0, 1, 2};

    assertThat(Hint.of(Hint.WIDTH_UNKNOWN, 258).bytes()).isEqualTo(rowsOnly);
    assertThat(Hint.in(Map.of("sluice", rowsOnly)).hasWidth()).isFalse();
    assertThat(Hint.of(1, 258).hasWidth()).isTrue();
  }

  @Test
  void an_unreadable_value_is_not_a_hint() {
    assertThat(Hint.in(null)).isNull();
    assertThat(Hint.in(Map.of())).isNull();
    assertThat(Hint.in(Map.of("sluice", new byte[] {2, 0, 3, 0, 0, 1, 2}))).isNull();
    assertThat(Hint.in(Map.of("sluice", new byte[] {1, 0, 3, 0, 0, 1}))).isNull();
    assertThat(Hint.in(Map.of("sluice", "text"))).isNull();
  }

  @Test
  void any_bytes_give_values_within_bounds() {
    byte[] nothing = {1, 0, 0, 0, 0, 0, 0};
    byte[] most = {1, -1, -1, -1, -1, -1, -1};

    assertThat(Hint.in(Map.of("sluice", nothing))).hasToString("width 0, rows 0");
    assertThat(Hint.in(Map.of("sluice", most))).hasToString("width 65535, rows 4294967295");
    assertThat(Hint.of(Integer.MAX_VALUE, Long.MAX_VALUE).bytes()).isEqualTo(most);
    assertThat(Hint.of(-1, -1).bytes()).isEqualTo(nothing);
  }
}
