package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the limit on lines per second, and of the count of omitted lines. */
class LineBudgetTest {

  private final LineBudget budget = new LineBudget();

  @Test
  void lines_per_second_are_limited_and_the_next_line_tells_how_many_are_missing() {
    assertThat(
            List.of(
                budget.place(2, 0), budget.place(2, 0), budget.place(2, 1), budget.place(2, 500)))
        .containsExactly(0L, 0L, -1L, -1L);
    assertThat(budget.place(2, 999)).isEqualTo(-1);

    assertThat(List.of(budget.place(2, 1000), budget.place(2, 1000), budget.place(2, 1999)))
        .containsExactly(3L, 0L, -1L);
    assertThat(budget.place(1, 3_600_000)).isEqualTo(1);
  }

  @Test
  void a_clock_that_is_set_back_does_not_silence_the_log() {
    assertThat(List.of(budget.place(1, 5000), budget.place(1, 5000))).containsExactly(0L, -1L);

    assertThat(budget.place(1, 4999)).isEqualTo(1);
    assertThat(budget.place(1, 5500)).isEqualTo(-1);
    assertThat(budget.place(1, 5999)).isEqualTo(1);
  }

  @Test
  void a_changed_limit_applies_at_once() {
    assertThat(List.of(budget.place(1, 0), budget.place(1, 0))).containsExactly(0L, -1L);
    assertThat(budget.place(2, 0)).isEqualTo(1);
    assertThat(budget.place(0, 2000)).isEqualTo(-1);
  }
}
