package io.sluice.server.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.tool.TopMenu.Action;
import org.junit.jupiter.api.Test;

/** The keys of {@code top} on a terminal. */
class TopMenuTest {

  private static final int ENTER = '\r';
  private static final int ESCAPE = 27;
  private static final int DELETE = 127;

  private final TopMenu menu = new TopMenu(TopTable.REQUESTS, null);

  private Action typed(String keys, int last) {
    keys.chars().forEach(menu::typed);
    return menu.typed(last);
  }

  @Test
  void q_and_ctrl_c_leave_the_page() {
    assertThat(menu.typed('q')).isEqualTo(new Action.Quit());
    assertThat(menu.typed(3)).isEqualTo(new Action.Quit());
    assertThat(typed("k1", 3)).as("also while an ID is typed").isEqualTo(new Action.Quit());
  }

  @Test
  void another_table_is_sorted_by_its_default_column() {
    assertThat(menu.typed('s')).isEqualTo(new Action.Show());
    assertThat(menu.select(5)).contains("system_proxy.statements ORDER BY total_ms DESC LIMIT 5");
    menu.typed('>');
    assertThat(menu.typed('r')).isEqualTo(new Action.Show());
    assertThat(menu.select(5)).contains("system_proxy.requests ORDER BY running_ms DESC LIMIT 5");
  }

  @Test
  void the_sort_column_wraps_around() {
    assertThat(typed("", '>')).isEqualTo(new Action.Show());
    assertThat(menu.select(5)).contains("ORDER BY waited_ms DESC");
    assertThat(menu.line()).endsWith("now WAITED MS");
    typed("<<", '<');
    assertThat(menu.select(5)).contains("ORDER BY table_name ASC");
    typed("<<<", '<');
    typed("", '<');
    assertThat(menu.select(5))
        .as("before the first column is the last")
        .contains("ORDER BY application");
  }

  @Test
  void an_id_is_typed_and_corrected_before_its_request_is_ended() {
    assertThat(typed("k12x", '9')).isEqualTo(new Action.Type());
    assertThat(menu.line()).endsWith("): 129");
    assertThat(menu.typed(DELETE)).isEqualTo(new Action.Type());
    assertThat(menu.typed(ENTER)).isEqualTo(new Action.Kill(12));
    assertThat(menu.line()).startsWith("q quit");
  }

  @Test
  void nothing_is_ended_without_an_id_or_after_escape() {
    assertThat(typed("k", ENTER)).isEqualTo(new Action.Type());
    assertThat(typed("k12", ESCAPE)).isEqualTo(new Action.Type());
    assertThat(menu.typed(ENTER)).isEqualTo(new Action.Type());
  }

  @Test
  void no_id_is_longer_than_a_number_can_be() {
    assertThat(typed("k" + "9".repeat(40), ENTER)).isEqualTo(new Action.Kill(999999999999999999L));
  }

  @Test
  void a_message_is_shown_until_the_next_key() {
    menu.showNotice("Request 12 was ended");
    assertThat(menu.line()).isEqualTo("Request 12 was ended");
    menu.typed('x');
    assertThat(menu.line()).startsWith("q quit");
  }
}
