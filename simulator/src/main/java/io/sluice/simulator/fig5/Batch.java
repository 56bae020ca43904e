package io.sluice.simulator.fig5;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Range queries that are all queued at step 0. Each has one task of one step for every node of its
 * interval.
 *
 * @param nodes the number of nodes
 * @param intervals the queries, in the order of their numbers
 */
record Batch(int nodes, List<Interval> intervals) {

  /** Nodes {@code first} to {@code last}, both included. */
  record Interval(int first, int last) {

    int width() {
      return last - first + 1;
    }
  }

  Batch {
    intervals = List.copyOf(intervals);
  }

  /** Creates queries between two distinct nodes, each pair equally likely. */
  static Batch random(int nodes, int queries, SplittableRandom random) {
    List<Interval> intervals = new ArrayList<>(queries);
    for (int i = 0; i < queries; i++) {
      int one = random.nextInt(nodes);
      int other = random.nextInt(nodes - 1);
      other += other >= one ? 1 : 0;
      intervals.add(new Interval(Math.min(one, other), Math.max(one, other)));
    }
    return new Batch(nodes, intervals);
  }

  int size() {
    return intervals.size();
  }
}
