package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/** Tests the memory budget of all reads, which concurrent lanes never exceed. */
class BufferBudgetTest {

  /** A budget from which another lane takes memory right after this lane has found enough. */
  private static final class Contended extends BufferBudget {
    private boolean interfered;

    Contended(long max) {
      super(max, MemoryBudget.unlimited());
    }

    @Override
    boolean fits(long now, long bytes) {
      boolean enough = super.fits(now, bytes);
      if (!interfered) {
        interfered = true;
        take(30);
      }
      return enough;
    }
  }

  @Test
  void two_lanes_do_not_take_the_same_bytes() {
    BufferBudget budget = new Contended(100);
    budget.take(60);

    assertThat(budget.tryTake(20, 0)).isFalse();
    assertThat(budget.used()).isEqualTo(90);
  }

  @Test
  void the_rest_is_taken_despite_another_lane() {
    BufferBudget budget = new Contended(100);
    budget.take(50);

    assertThat(budget.tryTake(20, 0)).isTrue();
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void one_page_takes_a_quarter_at_most() {
    BufferBudget budget = new BufferBudget(100, MemoryBudget.unlimited());

    assertThat(budget.tryTake(20, 6)).isFalse();
    assertThat(budget.tryTake(19, 6)).isTrue();
  }

  @Test
  void memory_that_cannot_wait_is_taken_beyond_the_budget() {
    BufferBudget budget = new BufferBudget(100, MemoryBudget.unlimited());
    budget.take(150);

    assertThat(budget.tryTake(1, 0)).isFalse();
    budget.take(-150);
    assertThat(budget.used()).isZero();
    assertThat(budget.isRoomy()).isTrue();
  }
}
