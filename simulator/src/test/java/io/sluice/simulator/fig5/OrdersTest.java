package io.sluice.simulator.fig5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.simulator.fig5.Batch.Interval;
import io.sluice.simulator.fig5.Fig5Result.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests orders on batches that are small enough to verify by hand, or to try all orders. */
class OrdersTest {

  /** Returns a batch: {@code "0-2 1-1"} is two queries, of nodes 0 to 2 and of node 1. */
  private static Batch batch(int nodes, String text) {
    return new Batch(
        nodes,
        Arrays.stream(text.split(" ", -1))
            .map(each -> each.split("-", -1))
            .map(ends -> new Interval(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])))
            .toList());
  }

  @Test
  void in_fifo_order_a_wide_query_delays_two_narrow_ones() {
    Batch batch = batch(4, "0-3 0-1 2-3");
    assertThat(ProxyQueues.meanResponse(batch, RangeOrder.FIFO)).isEqualTo((1 + 2 + 2) / 3.0);
    assertThat(ProxyQueues.meanResponse(batch, RangeOrder.NARROW_FIRST))
        .isEqualTo((2 + 1 + 1) / 3.0);
  }

  @Test
  void remaining_work_finishes_queries_that_have_begun() {
    // After step 1 the first query has one task left at node 1, and query 0-1 has two. Query 0-1
    // waits for node 0 anyway, so it loses no time if it goes last at node 1.
    Batch batch = batch(4, "1-3 1-1 0-1 0-0 0-0");
    assertThat(ProxyQueues.meanResponse(batch, RangeOrder.REMAINING_WORK))
        .isEqualTo((2 + 1 + 3 + 1 + 2) / 5.0);
    assertThat(ProxyQueues.meanResponse(batch, RangeOrder.NARROW_FIRST))
        .isEqualTo((3 + 1 + 3 + 1 + 2) / 5.0);
  }

  @Test
  void the_second_stage_prefers_short_queues() {
    Batch batch = batch(4, "0-1 0-1 2-3");
    assertThat(FixedOrder.twoStage(batch)).containsExactly(0, 2, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void the_bound_is_the_result_of_the_best_order(long seed) {
    Batch batch = Batch.random(5, 6, new SplittableRandom(seed));
    double best =
        permutations(IntStream.range(0, batch.size()).boxed().toList()).stream()
            .map(order -> FixedOrder.meanResponse(batch, order))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    Optimum optimum = Optimum.of(batch);
    assertThat(optimum.bound()).isCloseTo(best, within(1e-12));
    assertThat(FixedOrder.meanResponse(batch, optimum.order())).isCloseTo(best, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void the_schedulers_fifo_is_the_order_of_arrival(long seed) {
    Batch batch = Batch.random(12, 100, new SplittableRandom(seed));
    List<Integer> arrival = IntStream.range(0, batch.size()).boxed().toList();
    assertThat(ProxyQueues.meanResponse(batch, RangeOrder.FIFO))
        .isCloseTo(FixedOrder.meanResponse(batch, arrival), within(1e-12));
  }

  @Test
  void a_confidence_interval_uses_students_t() {
    Estimate estimate = Estimate.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(estimate.mean()).isEqualTo(6);
    assertThat(estimate.halfWidth()).isCloseTo(2.228 * Math.sqrt(11.0 / 11), within(0.005));
  }

  private static List<List<Integer>> permutations(List<Integer> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (Integer first : items) {
      List<Integer> rest = new ArrayList<>(items);
      rest.remove(first);
      for (List<Integer> tail : permutations(rest)) {
        List<Integer> order = new ArrayList<>(List.of(first));
        order.addAll(tail);
        all.add(order);
      }
    }
    return all;
  }
}
