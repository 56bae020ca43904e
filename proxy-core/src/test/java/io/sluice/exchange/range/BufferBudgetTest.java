package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryBudget;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the memory budget of all reads, which concurrent lanes never exceed. */
class BufferBudgetTest {

  @Test
  void two_lanes_together_take_no_more_than_the_budget() throws Exception {
    BufferBudget budget = new BufferBudget(1_000, MemoryBudget.unlimited());
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<Long> lane =
        () -> {
          start.await();
          return IntStream.range(0, 1_000).filter(each -> budget.tryTake(1, 0)).count();
        };

    ExecutorService lanes = Executors.newFixedThreadPool(2);
    try {
      Future<Long> first = lanes.submit(lane);
      Future<Long> second = lanes.submit(lane);

      assertThat(first.get() + second.get()).isEqualTo(1_000);
      assertThat(budget.used()).isEqualTo(1_000);
    } finally {
      lanes.shutdownNow();
    }
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
