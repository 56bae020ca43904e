package io.sluice.server.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The tables that {@code top} can show and sort. */
class TopTableTest {

  @Test
  void requests_that_run_longest_come_first() {
    assertThat(TopTable.REQUESTS.select(null, 20))
        .startsWith("SELECT id, role, ")
        .endsWith(" FROM system_proxy.requests ORDER BY running_ms DESC LIMIT 20");
  }

  @Test
  void numbers_are_sorted_from_the_largest_and_texts_from_a_to_z() {
    assertThat(TopTable.STATEMENTS.select("calls", 5)).endsWith("ORDER BY calls DESC LIMIT 5");
    assertThat(TopTable.STATEMENTS.select("role", 5)).endsWith("ORDER BY role ASC LIMIT 5");
  }

  @Test
  void no_other_column_is_put_into_the_statement() {
    assertThatThrownBy(() -> TopTable.STATEMENTS.select("id", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--sort: id is not a column of the table; it has role, calls, total_ms, mean_ms,"
                + " p99_ms, queue_ms, rows, errors, text");
  }
}
