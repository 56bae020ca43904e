package io.sluice.server.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables as {@code sluice top} prints them. */
class TextTableTest {

  @Test
  void columns_are_as_wide_as_their_widest_cell_and_numbers_stand_to_the_right() {
    TextTable table =
        new TextTable(
            List.of("node", "backlog ms", "queued"),
            List.of(List.of("10.0.0.1:9042", 12.345, 7), List.of("x", 0.0, 1234)));
    assertThat(table.lines())
        .containsExactly(
            "NODE           BACKLOG MS  QUEUED",
            "10.0.0.1:9042        12.3       7",
            "x                     0.0    1234");
  }

  @Test
  void control_characters_of_a_cell_do_not_reach_the_terminal() {
    TextTable table =
        new TextTable(
            List.of("application"), List.of(List.of("a\u001b]0;b\u0007c\nd\u009b\u202e")));
    assertThat(table.lines()).containsExactly("APPLICATION", "a?]0;b?c?d??");
  }

  @Test
  void a_table_without_rows_has_a_head() {
    assertThat(new TextTable(List.of("id", "role"), List.of()).lines()).containsExactly("ID  ROLE");
  }
}
