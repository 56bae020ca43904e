package io.sluice.simulator.fig5;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * The paper's simulation of orders: twelve nodes, 2 to 1,024 range queries of two to twelve nodes,
 * all queued at step 0. A query's response is the step in which its last task is done. All orders
 * get the same queries. Deterministic.
 *
 * @param seed the seed of the random numbers
 * @param seeds independent batches of each size; at least 2
 */
public record Fig5(long seed, int seeds) {
  /** The numbers of queries in a batch. */
  public static final List<Integer> SIZES = List.of(2, 4, 8, 16, 32, 64, 128, 256, 512, 1024);

  private static final int NODES = 12;

  public Fig5 {
    if (seeds < 2) {
      throw new IllegalArgumentException("--seeds: at least 2");
    }
  }

  /**
   * Runs every order on every batch.
   *
   * @param progress receives the number of finished batches, of {@code SIZES.size() · seeds}
   */
  public Fig5Result run(IntConsumer progress) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Fig5Result.Point> points = new ArrayList<>();
    int done = 0;
    for (int size : SIZES) {
      Map<Order, double[]> means = new EnumMap<>(Order.class);
      for (int i = 0; i < seeds; i++) {
        Batch batch = Batch.random(NODES, size, random);
        for (Order order : Order.values()) {
          means.computeIfAbsent(order, key -> new double[seeds])[i] = order.meanResponse(batch);
        }
        progress.accept(++done);
      }
      means.forEach((order, each) -> points.add(Fig5Result.Point.of(size, order, each, means)));
    }
    return new Fig5Result(seed, seeds, points);
  }
}
