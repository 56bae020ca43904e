package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The costs of one table's reads across all nodes, and the error of these costs. Keys come from
 * here, so that they are the same in every node's queue. Safe for any thread; its lock is a leaf.
 */
final class TableCosts {
  private static final double PACE = 0.05;

  /** What a point read may cost, in reads of one row, that takes no slot of range reads. */
  private static final double MANY = 4;

  /** The pace at which a quantile is forgotten that no node has any more. */
  private static final double FORGET = 1.001;

  /** A read is late at a node that is slow itself when it has taken so many times as long. */
  private static final double CLEARLY = 2;

  @GuardedBy("this")
  private final CostModel model = new CostModel();

  @GuardedBy("this")
  private double error = 1;

  /** What 99 of 100 point reads do not exceed at the fastest node, ns. Written with the lock. */
  private volatile double least = Double.POSITIVE_INFINITY;

  /** The work of a query cut into {@code width} parts, µs. */
  synchronized double estimate(double rows, int width) {
    return model.estimate(rows) + (width - 1) * model.estimate(0);
  }

  /** Rows that are read in so many µs. */
  synchronized double rowsIn(double micros) {
    return micros / (model.estimate(1) - model.estimate(0));
  }

  /** The bytes of an answer of so many rows. */
  synchronized double bytesIn(double rows) {
    return model.bytesIn(rows);
  }

  /** Whether a read of so many partitions costs as much as many point reads. */
  synchronized boolean isDear(double partitions) {
    return model.estimate(partitions) > MANY * model.estimate(1);
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
   * A node has answered a point read.
   *
   * @param quantile what 99 of 100 do not exceed at that node, ns; infinite while not known
   */
  synchronized void usual(double quantile) {
    least = Math.min(quantile, least * FORGET);
  }

  /** When a point read is late at a node with this quantile, ns; the largest value for never. */
  long lateNanos(double quantile) {
    return quantile < Double.POSITIVE_INFINITY
        ? (long) Math.min(quantile, CLEARLY * least)
        : Long.MAX_VALUE;
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
