package io.sluice.simulator.fig5;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The least mean response of any order. By step t no more queries can be done than the largest set
 * α(t) that needs no node more than t times. The responses thus sum to at least Σ<sub>t ≥ 0</sub>
 * (n − α(t)). A greedy algorithm finds the largest such set of intervals exactly: from the left,
 * take each; where one node is needed too often, drop the one that reaches furthest to the right
 * (Faigle, Nawijn: "Note on scheduling intervals on-line", 1995).
 *
 * @param bound lower bound of the mean response in steps
 * @param order query numbers by the first step whose set contains them; if the sets are nested,
 *     this order meets the bound
 */
record Optimum(double bound, List<Integer> order) {

  Optimum {
    order = List.copyOf(order);
  }

  /** Computes the bound and the order derived from it. */
  static Optimum of(Batch batch) {
    List<List<Integer>> byFirst = byFirst(batch);
    int[] doneBy = new int[batch.size()];
    Arrays.fill(doneBy, Integer.MAX_VALUE);
    int open = batch.size();
    long total = open;
    for (int step = 1; open > 0; step++) {
      int[] queries = largestSet(batch, byFirst, step);
      for (int query : queries) {
        doneBy[query] = Math.min(doneBy[query], step);
      }
      open = batch.size() - queries.length;
      total += open;
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, batch.size()).boxed().toList());
    order.sort(Comparator.comparingInt(query -> doneBy[query]));
    return new Optimum((double) total / batch.size(), order);
  }

  private static List<List<Integer>> byFirst(Batch batch) {
    List<List<Integer>> byFirst = perNode(batch);
    for (int query = 0; query < batch.size(); query++) {
      byFirst.get(batch.intervals().get(query).first()).add(query);
    }
    return byFirst;
  }

  private static int[] largestSet(Batch batch, List<List<Integer>> byFirst, int times) {
    List<List<Integer>> openByLast = perNode(batch);
    IntStream.Builder set = IntStream.builder();
    int open = 0;
    for (int node = 0; node < batch.nodes(); node++) {
      for (int query : byFirst.get(node)) {
        openByLast.get(batch.intervals().get(query).last()).add(query);
        open++;
      }
      for (int last = batch.nodes() - 1; open > times; open--) {
        while (openByLast.get(last).isEmpty()) {
          last--;
        }
        openByLast.get(last).remove(openByLast.get(last).size() - 1);
      }
      openByLast.get(node).forEach(set::add);
      open -= openByLast.get(node).size();
    }
    return set.build().toArray();
  }

  private static List<List<Integer>> perNode(Batch batch) {
    return IntStream.range(0, batch.nodes())
        .<List<Integer>>mapToObj(n -> new ArrayList<>())
        .toList();
  }
}
