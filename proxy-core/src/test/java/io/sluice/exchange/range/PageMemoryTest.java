package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/** The rows that a page may request at once, and the memory that it holds. */
class PageMemoryTest {

  private static final long MIB = 1 << 20;

  private final BufferBudget budget = new BufferBudget(64 * MIB, MemoryBudget.unlimited());

  private PageMemory page(double knownRowBytes) {
    return new PageMemory(budget, knownRowBytes, knownRowBytes);
  }

  @Test
  void an_answer_has_as_many_rows_as_make_eight_mebibytes() {
    assertThat(page(1024).maxRows()).isEqualTo(8192);
    assertThat(page(10_240).maxRows()).isEqualTo(819);
  }

  @Test
  void without_a_known_row_size_a_thousand_rows_are_read() {
    assertThat(page(0).maxRows()).isEqualTo(1000);
  }

  @Test
  void what_came_tells_more_than_what_was_known() {
    PageMemory page = page(100);
    page.onAnswer(4, 4 * MIB);
    assertThat(page.rowBytes()).isEqualTo(MIB);
    assertThat(page.maxRows()).isEqualTo(8);
  }

  /** The mean of all would ask for eight gibibytes of them. */
  @Test
  void rows_that_are_large_in_one_answer_are_not_hidden_by_small_ones() {
    PageMemory page = page(100);
    page.onAnswer(8_000_000, 800_000_000);
    page.onAnswer(8, 8 * MIB);
    assertThat(page.rowBytes()).isEqualTo(101);
    assertThat(page.maxRows()).isEqualTo(8);
  }

  @Test
  void other_reads_large_rows_count_too() {
    assertThat(new PageMemory(budget, 100, MIB).maxRows()).isEqualTo(8);
  }

  @Test
  void one_row_is_asked_for_however_large_it_is() {
    assertThat(page(100 * MIB).maxRows()).isEqualTo(1);
  }

  @Test
  void what_cannot_wait_is_taken_even_beyond_the_budget() {
    PageMemory page = page(0);
    assertThat(page.take(100 * MIB, false)).isFalse();
    assertThat(page.take(100 * MIB, true)).isTrue();
    page.setHeld(0);
    assertThat(page.take(16 * MIB, false)).isTrue();
  }
}
