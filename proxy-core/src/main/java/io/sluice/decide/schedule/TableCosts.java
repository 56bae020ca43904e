package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The costs of one table's reads across all nodes. The keys of queries use these costs, so that
 * they are the same in every node's queue. Safe for any thread; its lock is a leaf.
 */
final class TableCosts {
  /** So many answers that more of them make the costs no more certain. */
  private static final int MANY = 100;

  /** Most that a point read may cost, in reads of one row, without taking a slot of range reads. */
  private static final double MAX_POINT_COST = 4;

  /**
   * Factor by which the least quantile rises with each answer, to forget one that no node has any
   * more.
   */
  private static final double FORGET = 1.001;

  /** At a slow node a read is late after this multiple of the fastest node's quantile. */
  private static final double LATE_FACTOR = 2;

  private final CommonCosts common;

  @GuardedBy("this")
  private final CostModel model;

  /** Answers that the costs were learned from. */
  @GuardedBy("this")
  private int learned;

  @GuardedBy("this")
  private double margin = CommonCosts.margin(1);

  /** What 99 of 100 point reads do not exceed at the fastest node, ns. Written under the lock. */
  private volatile double least = Double.POSITIVE_INFINITY;

  /** Creates the costs of a table, which start from those of all tables. */
  TableCosts(CommonCosts common) {
    this.common = common;
    this.model = common.forTable();
  }

  /** Predicts the rows of a read: at least as many as its latest answer had, if that was large. */
  double rows(QueryFacts facts) {
    long bytes = facts.fingerprint() == 0 ? 0 : common.largeReads().bytes(facts.fingerprint());
    return bytes == 0 ? facts.rows() : Math.max(facts.rows(), rowsOfBytes(bytes));
  }

  private synchronized double rowsOfBytes(long bytes) {
    return model.rowsOfBytes(bytes);
  }

  private synchronized boolean isLarge(long bytes) {
    return isExpensive(model.rowsOfBytes(bytes));
  }

  /** Learns the size of an answer to such a read. */
  void answered(QueryFacts facts, long bytes) {
    if (facts.fingerprint() == 0) {
      return;
    }
    if (isLarge(bytes)) {
      common.largeReads().large(facts.fingerprint(), bytes);
    } else {
      common.largeReads().small(facts.fingerprint());
    }
  }

  /**
   * Predicts the work of a query cut into {@code width} parts, µs. Reads of tables whose costs are
   * about the same have the same work.
   */
  double estimate(double rows, int width) {
    double one;
    double empty;
    double bytes;
    double doubt;
    synchronized (this) {
      doubt = margin;
      one = model.estimate(rows);
      empty = model.estimate(0);
      bytes = model.bytesIn(rows);
    }
    double whole = common.shrink(one, rows, bytes, doubt);
    return width == 1 ? whole : whole + (width - 1) * common.shrink(empty, 0, 0, doubt);
  }

  /** Returns how many rows are read in {@code micros}, apart from the fixed cost. */
  synchronized double rowsReadIn(double micros) {
    return micros / (model.estimate(1) - model.estimate(0));
  }

  /** Returns how many rows take {@code multiple} times the fixed cost of a read. */
  synchronized double rowsOfFixedCosts(double multiple) {
    return rowsReadIn(multiple * model.estimate(0));
  }

  /** Predicts the bytes of an answer with {@code rows}. */
  synchronized double bytesIn(double rows) {
    return model.bytesIn(rows);
  }

  /** Whether a read of that many rows or partitions costs as much as many point reads. */
  synchronized boolean isExpensive(double rows) {
    return model.estimate(rows) > MAX_POINT_COST * model.estimate(1);
  }

  /** Creates a model for one node that starts from the table's costs. */
  synchronized CostModel forNode() {
    return model.ofSameTable();
  }

  /**
   * Adds the quantile of a node that has answered a point read.
   *
   * @param quantile what 99 of 100 do not exceed at that node, ns; infinite while unknown
   */
  synchronized void addQuantile(double quantile) {
    least = Math.min(quantile, least * FORGET);
  }

  /**
   * Returns after how long a point read is late at a node with this quantile, ns; {@code
   * Long.MAX_VALUE} for never.
   */
  long lateNanos(double quantile) {
    return quantile < Double.POSITIVE_INFINITY
        ? (long) Math.min(quantile, LATE_FACTOR * least)
        : Long.MAX_VALUE;
  }

  /**
   * Learns from an answer of any node.
   *
   * @param counted rows; negative when they were not counted
   * @param rows rows, counted or estimated
   * @param micros how long the answer took; NaN when other reads at the node affected that
   */
  void answered(long counted, double rows, long bytes, double micros) {
    if (!Double.isNaN(micros)) {
      common.learn(rows, (double) bytes, micros);
    }
    if (learn(counted, rows, bytes, micros)) {
      common.observe(counted, bytes);
    }
  }

  /** Learns from an answer, and returns whether that had the first rows of the table. */
  private synchronized boolean learn(long counted, double rows, long bytes, double micros) {
    boolean first = counted > 0 && !model.sawRows();
    model.observe(counted, bytes);
    if (!Double.isNaN(micros)) {
      model.learn(rows, (double) bytes, micros);
      learned = Math.min(MANY, learned + 1);
      margin = CommonCosts.margin(learned);
    }
    return first;
  }
}
