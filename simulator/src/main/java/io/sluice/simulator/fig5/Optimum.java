package io.sluice.simulator.fig5;

import io.sluice.simulator.fig5.Batch.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The least mean response any order can have. By step t no more queries can be done than the
 * largest set α(t) that needs no node more than t times, so the responses sum to at least Σ<sub>t ≥
 * 0</sub> (n − α(t)). The largest such set of intervals is found exactly by a greedy: from the left,
 * take each, and where one node is needed too often give up the one that reaches furthest to the
 * right (Faigle, Nawijn: "Note on scheduling intervals on-line", 1995).
 *
 * @param bound mean response in steps that no order is below
 * @param order query numbers by the first step whose set has them: where the sets are nested this
 *     order meets the bound
 */
record Optimum(double bound, List<Integer> order) {

  Optimum {
    order = List.copyOf(order);
  }

  /** Finds the bound and the order that goes for it. */
  static Optimum of(Batch batch) {
    List<Integer> fromLeft = new ArrayList<>(IntStream.range(0, batch.size()).boxed().toList());
    fromLeft.sort(Comparator.comparingInt(query -> batch.intervals().get(query).first()));
    int[] doneBy = new int[batch.size()];
    Arrays.fill(doneBy, Integer.MAX_VALUE);
    int open = batch.size();
    long total = open;
    for (int step = 1; open > 0; step++) {
      List<Integer> largest = largestSet(batch, fromLeft, step);
      for (int query : largest) {
        doneBy[query] = Math.min(doneBy[query], step);
      }
      open = batch.size() - largest.size();
      total += open;
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, batch.size()).boxed().toList());
    order.sort(Comparator.comparingInt(query -> doneBy[query]));
    return new Optimum((double) total / batch.size(), order);
  }

  private static List<Integer> largestSet(Batch batch, List<Integer> fromLeft, int times) {
    List<Integer> set = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    for (int query : fromLeft) {
      int first = batch.intervals().get(query).first();
      for (int i = open.size() - 1; i >= 0; i--) {
        if (batch.intervals().get(open.get(i)).last() < first) {
          set.add(open.remove(i));
        }
      }
      open.add(query);
      if (open.size() > times) {
        open.remove(furthest(batch, open));
      }
    }
    set.addAll(open);
    return set;
  }

  private static int furthest(Batch batch, List<Integer> open) {
    int furthest = 0;
    int reach = -1;
    for (int i = 0; i < open.size(); i++) {
      Interval interval = batch.intervals().get(open.get(i));
      if (interval.last() >= reach) {
        furthest = i;
        reach = interval.last();
      }
    }
    return furthest;
  }
}
