package io.sluice.simulator.fig5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.fig5.Batch.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests batches of range queries, and properties of every order on any batch. */
class BatchTest {

  @Test
  void each_pair_of_different_nodes_is_equally_likely() {
    int queries = 30_000;
    Map<Interval, Integer> counts = new HashMap<>();
    Batch.random(4, queries, new SplittableRandom(1))
        .intervals()
        .forEach(interval -> counts.merge(interval, 1, Integer::sum));

    assertThat(counts).hasSize(6);
    assertThat(counts.keySet()).allMatch(each -> each.first() < each.last() && each.last() < 4);
    assertThat(counts.values())
        .allSatisfy(n -> assertThat((double) n / queries).isCloseTo(1.0 / 6, within(0.01)));
  }

  @Test
  void the_width_of_an_interval_includes_both_ends() {
    assertThat(new Interval(2, 2).width()).isEqualTo(1);
    assertThat(new Interval(0, 11).width()).isEqualTo(12);
  }

  @Test
  void a_batch_copies_its_list() {
    List<Interval> intervals = new ArrayList<>(List.of(new Interval(0, 1)));
    Batch batch = new Batch(2, intervals);

    intervals.clear();

    assertThat(batch.size()).isEqualTo(1);
  }

  /** Returns the mean response of an order by brute force: each node does one task per step. */
  private static double bySteps(Batch batch, List<Integer> order) {
    int[] left = batch.intervals().stream().mapToInt(Interval::width).toArray();
    boolean[][] done = new boolean[batch.size()][batch.nodes()];
    long responses = 0;
    int open = batch.size();
    for (int step = 1; open > 0; step++) {
      for (int node = 0; node < batch.nodes(); node++) {
        for (int query : order) {
          Interval interval = batch.intervals().get(query);
          if (interval.first() <= node && node <= interval.last() && !done[query][node]) {
            done[query][node] = true;
            left[query]--;
            if (left[query] == 0) {
              responses += step;
              open--;
            }
            break;
          }
        }
      }
    }
    return (double) responses / batch.size();
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 5", "2, 12, 20", "3, 6, 50", "4, 2, 10"})
  void a_fixed_order_has_the_response_of_a_simulation_by_steps(long seed, int nodes, int queries) {
    SplittableRandom random = new SplittableRandom(seed);
    Batch batch = Batch.random(nodes, queries, random);
    List<Integer> order = new ArrayList<>();
    for (int query = 0; query < queries; query++) {
      order.add(random.nextInt(order.size() + 1), query);
    }

    assertThat(FixedOrder.meanResponse(batch, order))
        .isCloseTo(bySteps(batch, order), within(1e-9));
  }

  @Test
  void the_two_stage_order_starts_with_width() {
    Batch batch = Batch.random(12, 200, new SplittableRandom(1));

    List<Integer> order = FixedOrder.twoStage(batch);

    assertThat(order).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 200).boxed().toList());
    assertThat(order.stream().map(query -> batch.intervals().get(query).width())).isSorted();
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void a_lone_query_takes_one_step_in_any_order(Order order) {
    assertThat(order.meanResponse(new Batch(12, List.of(new Interval(3, 9))))).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void queries_without_a_common_node_do_not_wait_for_each_other(Order order) {
    Batch batch = new Batch(6, List.of(new Interval(0, 1), new Interval(2, 3), new Interval(4, 5)));

    assertThat(order.meanResponse(batch)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void one_of_several_equal_queries_ends_in_each_step_in_any_order(Order order) {
    Batch batch = new Batch(3, Collections.nCopies(4, new Interval(0, 2)));

    assertThat(order.meanResponse(batch)).isCloseTo((1 + 2 + 3 + 4) / 4.0, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"1, 4, 7", "2, 12, 40", "3, 12, 200", "4, 3, 30"})
  void no_order_is_below_the_bound(long seed, int nodes, int queries) {
    Batch batch = Batch.random(nodes, queries, new SplittableRandom(seed));
    double bound = Order.BOUND.meanResponse(batch);
    for (Order order : Order.values()) {
      assertThat(order.meanResponse(batch)).as("%s", order).isGreaterThanOrEqualTo(bound - 1e-9);
    }
  }

  @Test
  void labels_differ() {
    assertThat(Arrays.stream(Order.values()).map(Order::label)).doesNotHaveDuplicates().hasSize(6);
  }

  @Test
  void one_batch_of_a_size_has_no_confidence_interval() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fig5(1, 1))
        .withMessage("--seeds: at least 2");
  }
}
