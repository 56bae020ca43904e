package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.host.MemoryGauge;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PinBudgetTest {
  private static final long BYTES = 1000;

  private long available = 1L << 40;
  private final PinBudget budget =
      new PinBudget(BYTES, () -> new MemoryGauge.State(1L << 40, available, 0));

  @Test
  void nothing_is_allowed_before_memory_is_known() throws IOException {
    assertThat(budget.allowed()).isZero();
    assertThat(budget.bytes()).isEqualTo(BYTES);

    assertThat(budget.update(0, 0, Long.MAX_VALUE, 0)).isTrue();
    assertThat(budget.allowed()).isEqualTo(BYTES);
    assertThat(budget.update(0, 0, Long.MAX_VALUE, 1)).as("changed again").isFalse();
  }

  @Test
  void a_shortage_is_memory_for_less_than_is_kept() throws IOException {
    budget.update(0, 0, Long.MAX_VALUE, 0);
    available = 600;

    budget.update(500, 500, Long.MAX_VALUE, 1);
    assertThat(budget.allowed()).isEqualTo(550);
    assertThat(budget.shortages()).isZero();

    available = 0;
    budget.update(500, 500, Long.MAX_VALUE, 2);
    assertThat(budget.allowed()).isEqualTo(250);
    assertThat(budget.shortages()).isEqualTo(1);
  }

  @Test
  void a_smaller_budget_is_no_shortage() throws IOException {
    budget.update(0, 0, Long.MAX_VALUE, 0);
    budget.setBytes(400);

    assertThat(budget.update(BYTES, BYTES, Long.MAX_VALUE, 1)).isTrue();
    assertThat(budget.allowed()).isEqualTo(400);
    assertThat(budget.shortages()).isZero();
  }

  @Test
  void it_allows_no_more_than_what_is_kept_and_the_room_for_more() throws IOException {
    assertThat(budget.update(100, 100, 600, 0)).isTrue();
    assertThat(budget.allowed()).isEqualTo(700);
    assertThat(budget.bytes()).isEqualTo(BYTES);

    assertThat(budget.update(700, 700, 0, 1)).as("changed").isFalse();
    assertThat(budget.shortages()).isZero();
    budget.update(700, 700, Long.MAX_VALUE, 2);
    assertThat(budget.allowed()).isEqualTo(BYTES);
  }

  @Test
  void switched_off_it_allows_nothing_and_keeps_its_bytes() throws IOException {
    budget.update(0, 0, Long.MAX_VALUE, 0);
    budget.setEnabled(false);

    budget.update(BYTES, BYTES, Long.MAX_VALUE, 1);
    assertThat(budget.allowed()).isZero();
    assertThat(budget.bytes()).isEqualTo(BYTES);
    assertThat(budget.shortages()).isZero();

    budget.setEnabled(true);
    budget.update(0, 0, Long.MAX_VALUE, 2);
    assertThat(budget.allowed()).isEqualTo(BYTES);
  }

  @Test
  void unknown_memory_is_an_error_that_leaves_the_allowance() throws IOException {
    PinBudget unknown =
        new PinBudget(
            BYTES,
            () -> {
              throw new IOException("no /proc");
            });

    assertThatThrownBy(() -> unknown.update(0, 0, Long.MAX_VALUE, 0)).hasMessage("no /proc");
    assertThat(unknown.allowed()).isZero();
  }
}
