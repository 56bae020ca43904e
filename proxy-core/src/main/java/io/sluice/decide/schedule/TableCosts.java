package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The costs of one table's reads across all nodes, and the error of these costs. Keys come from
 * here, so that they are the same in every node's queue. Safe for any thread; its lock is a leaf.
 */
final class TableCosts {
  private static final double PACE = 0.05;

  /** What a light range read may cost, in point reads. */
  private static final double FEW = 3;

  /** What a point read may cost, in reads of one row, that is no heavy one. */
  private static final double MANY = 4;

  /** Standard deviations of the error, about, that an estimate is raised by. */
  private static final double DOUBT = 2;

  /** A light read that took much longer than it should costs the privilege so many times longer. */
  private static final long PENALTY = 100;

  @GuardedBy("this")
  private final CostModel model = new CostModel();

  @GuardedBy("this")
  private double error = 1;

  @GuardedBy("this")
  private boolean distrusted;

  @GuardedBy("this")
  private long distrustedUntil;

  /** The work of a query cut into {@code width} parts, µs. */
  synchronized double estimate(double rows, int width) {
    return model.estimate(rows) + (width - 1) * model.estimate(0);
  }

  /** Rows that are read in so many µs. */
  synchronized double rowsIn(double micros) {
    return micros / (model.estimate(1) - model.estimate(0));
  }

  /**
   * Whether a range read costs no more than a few point reads, even if the estimate is as far off
   * as the last ones were. It has no more rows than its limit, however wrong the estimate.
   */
  synchronized boolean isLight(double rows, int limit, int width, long now) {
    if (distrusted && now - distrustedUntil < 0) {
      return false;
    }
    distrusted = false;
    double most = Math.min((double) limit, rows * Math.exp(DOUBT * error));
    return model.estimate(most) + (width - 1) * model.estimate(0) <= FEW * model.estimate(1);
  }

  /** Whether a read of so many partitions costs as much as many point reads. */
  synchronized boolean isDear(double partitions) {
    return model.estimate(partitions) > MANY * model.estimate(1);
  }

  /** A light read took much longer than others of its size do now: for a while there are none. */
  synchronized void distrust(long tookNanos, long now) {
    distrusted = true;
    distrustedUntil = now + PENALTY * tookNanos;
  }

  /** A model for one node that starts from what is known of the table. */
  synchronized CostModel forNode() {
    return new CostModel(model);
  }

  /**
   * How far remaining work may move a query: the multiple of its work that later queries are let
   * pass by, the lower the less the estimates can be trusted.
   */
  synchronized int trust() {
    return error < 0.1 ? 100 : error < 0.2 ? 50 : 20;
  }

  /**
   * Learns from an answer of any node.
   *
   * @param expected rows that a range read was expected to read; NaN for a point read
   * @param counted rows, negative when they were not counted
   * @param rows rows, counted or guessed
   * @param micros how long it took; NaN when other reads at the node had a part in that
   */
  synchronized void answered(
      double expected, long counted, double rows, long bytes, double micros) {
    if (!Double.isNaN(expected)) {
      double ratio = model.work(rows, (double) bytes) / model.estimate(expected);
      error += PACE * (Math.abs(Math.log(ratio)) - error);
    }
    model.observe(counted, bytes);
    if (!Double.isNaN(micros)) {
      model.learn(rows, (double) bytes, micros);
    }
  }
}
