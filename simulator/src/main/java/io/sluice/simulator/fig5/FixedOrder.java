package io.sluice.simulator.fig5;

import io.sluice.simulator.fig5.Batch.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Orders that are known before the first step: the same list of queries at every node. Pure. */
final class FixedOrder {
  private FixedOrder() {}

  /**
   * Returns the mean response in steps when every node follows {@code order}, a list of query
   * numbers.
   */
  static double meanResponse(Batch batch, List<Integer> order) {
    int[] queued = new int[batch.nodes()];
    long total = 0;
    for (int query : order) {
      Interval interval = batch.intervals().get(query);
      append(queued, interval);
      total += longest(queued, interval);
    }
    return (double) total / batch.size();
  }

  /**
   * Returns the paper's load-aware order. Stage one: narrow before wide. Stage two, among queries
   * of the same width: first the one whose busiest node has the shortest queue so far, then by
   * number.
   */
  static List<Integer> twoStage(Batch batch) {
    List<Integer> left = new ArrayList<>(IntStream.range(0, batch.size()).boxed().toList());
    left.sort(Comparator.comparingInt(query -> batch.intervals().get(query).width()));
    int[] queued = new int[batch.nodes()];
    List<Integer> order = new ArrayList<>(batch.size());
    while (!left.isEmpty()) {
      int next = left.remove(leastLoaded(batch, left, queued));
      append(queued, batch.intervals().get(next));
      order.add(next);
    }
    return order;
  }

  /** Returns the index of the best among the queries of equal width at the head of {@code left}. */
  private static int leastLoaded(Batch batch, List<Integer> left, int[] queued) {
    int width = batch.intervals().get(left.get(0)).width();
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < left.size(); i++) {
      Interval interval = batch.intervals().get(left.get(i));
      if (interval.width() != width) {
        break;
      }
      int load = longest(queued, interval);
      if (load < least) {
        best = i;
        least = load;
      }
    }
    return best;
  }

  private static void append(int[] queued, Interval interval) {
    for (int node = interval.first(); node <= interval.last(); node++) {
      queued[node]++;
    }
  }

  private static int longest(int[] queued, Interval interval) {
    int longest = 0;
    for (int node = interval.first(); node <= interval.last(); node++) {
      longest = Math.max(longest, queued[node]);
    }
    return longest;
  }
}
