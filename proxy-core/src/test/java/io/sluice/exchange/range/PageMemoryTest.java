package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.exchange.TestClient;
import io.sluice.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/** Tests the rows that a page may request at once, and the memory that it holds. */
class PageMemoryTest {

  private static final long MIB = 1 << 20;

  private final BufferBudget budget = new BufferBudget(64 * MIB, MemoryBudget.unlimited());

  private final TestClient client = new TestClient(4);

  private PageMemory page(double knownRowBytes) {
    return new PageMemory(budget, client, knownRowBytes, knownRowBytes);
  }

  @Test
  void an_answer_has_at_most_eight_mebibytes_of_rows() {
    assertThat(page(1024).maxRows()).isEqualTo(8192);
    assertThat(page(10_240).maxRows()).isEqualTo(819);
  }

  @Test
  void rows_of_unknown_size_are_read_by_the_thousand() {
    assertThat(page(0).maxRows()).isEqualTo(1000);
  }

  @Test
  void the_row_size_of_an_answer_replaces_the_estimate() {
    PageMemory page = page(100);
    page.onAnswer(4, 4 * MIB);
    assertThat(page.rowBytes()).isEqualTo(MIB);
    assertThat(page.maxRows()).isEqualTo(8);
  }

  /** By the mean size of all rows, a request would ask for eight gibibytes of large rows. */
  @Test
  void large_rows_of_one_answer_are_not_hidden_by_small_ones() {
    PageMemory page = page(100);
    page.onAnswer(8_000_000, 800_000_000);
    page.onAnswer(8, 8 * MIB);
    assertThat(page.rowBytes()).isEqualTo(101);
    assertThat(page.maxRows()).isEqualTo(8);
  }

  @Test
  void large_rows_of_other_reads_count() {
    assertThat(new PageMemory(budget, client, 100, MIB).maxRows()).isEqualTo(8);
  }

  @Test
  void one_row_of_any_size_is_asked_for() {
    assertThat(page(100 * MIB).maxRows()).isEqualTo(1);
  }

  @Test
  void memory_that_cannot_wait_is_taken_beyond_the_budget() {
    PageMemory page = page(0);
    assertThat(page.take(100 * MIB, false)).isFalse();
    assertThat(page.take(100 * MIB, true)).isTrue();
    page.release();
    assertThat(page.take(16 * MIB, false)).isTrue();
  }

  @Test
  void answers_that_are_buffered_count_for_the_client_and_expected_ones_for_the_budget_only() {
    PageMemory page = page(0);
    page.take(5 * MIB, false);
    page.hold(2 * MIB, 4 * MIB);
    assertThat(client.buffered).isEqualTo(2 * MIB);
    assertThat(budget.used()).isEqualTo(6 * MIB);
    page.hold(3 * MIB, 0);
    assertThat(client.buffered).isEqualTo(3 * MIB);
    assertThat(budget.used()).isEqualTo(3 * MIB);
    page.release();
    assertThat(client.buffered).isZero();
    assertThat(budget.used()).isZero();
  }
}
