package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The memory that all tables share: the costs of their reads together, from which a new table
 * starts, and the sizes of large answers. Safe for any thread; its lock is a leaf.
 */
final class CommonCosts {
  /** Factor by which a table's reads may differ from others' and still count as equal. */
  private static final double MARGIN = 2;

  private final LargeReads largeReads = new LargeReads();

  @GuardedBy("this")
  private final CostModel model = new CostModel();

  /** Returns the sizes of large answers. */
  LargeReads largeReads() {
    return largeReads;
  }

  /** Creates the model of a table without answers. */
  synchronized CostModel forTable() {
    return model.ofAnotherTable();
  }

  /**
   * Moves the predicted work of a table's read toward that of equal reads of other tables, by a
   * factor of {@value #MARGIN} at most. What is learned from a few answers is uncertain by such a
   * factor, and must not decide which of two equal reads goes first.
   *
   * @param micros the work by the costs of the table, µs
   */
  synchronized double shrink(double micros, double rows, double bytes) {
    double usual = model.work(rows, bytes);
    return micros > usual ? Math.max(usual, micros / MARGIN) : Math.min(usual, micros * MARGIN);
  }

  /** Learns from an answer of any table that took {@code micros} at an uncrowded node. */
  synchronized void learn(double rows, double bytes, double micros) {
    model.learn(rows, bytes, micros);
  }

  /** Learns the size of rows from the first rows of a table. */
  synchronized void observe(long rows, long bytes) {
    model.observe(rows, bytes);
  }
}
