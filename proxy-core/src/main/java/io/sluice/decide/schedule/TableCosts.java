package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.PriorityClass;

/**
 * The costs of one table's reads across all nodes, and the error of these costs. Keys come from
 * here, so that they are the same in every node's queue. Safe for any thread; its lock is a leaf.
 */
final class TableCosts {
  private static final double PACE = 0.05;

  @GuardedBy("this")
  private final CostModel model = new CostModel();

  @GuardedBy("this")
  private double error = 1;

  /** The work of a query cut into {@code width} parts, µs. */
  synchronized double estimate(double rows, int width) {
    return model.estimate(rows) + (width - 1) * model.estimate(0);
  }

  /** Rows that are read in so many µs. */
  synchronized double rowsIn(double micros) {
    return micros / (model.estimate(1) - model.estimate(0));
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
   * @param counted rows, negative when nobody counted them
   * @param rows rows, counted or guessed
   * @param micros how long it took
   */
  synchronized void answered(Demand demand, long counted, double rows, long bytes, double micros) {
    if (demand.query().priorityClass() == PriorityClass.RANGE) {
      double ratio = model.work(rows, (double) bytes) / model.estimate(demand.rows());
      error += PACE * (Math.abs(Math.log(ratio)) - error);
    }
    model.observe(counted, bytes);
    if (demand.uncrowded) {
      model.learn(rows, (double) bytes, micros);
    }
  }
}
