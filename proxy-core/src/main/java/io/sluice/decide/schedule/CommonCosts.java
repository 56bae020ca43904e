package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The memory that all tables share: the costs of their reads together, from which a new table
 * starts, and the sizes of large answers. Safe for any thread; its lock is a leaf, and predictions
 * do not take it.
 */
final class CommonCosts {
  /** Least factor by which a table's reads may differ from others' and still count as equal. */
  private static final double MIN_MARGIN = 2;

  /**
   * Twice the deviation of the logarithm of what equal reads take at a busy node: two standard
   * errors of a single answer.
   */
  private static final double DOUBT = 2;

  private final LargeReads largeReads = new LargeReads();

  @GuardedBy("this")
  private final CostModel model = new CostModel();

  // The costs of the model, written under the lock. A prediction may see one of them before and
  // another after an answer, which moves each of them a little.
  private volatile double readMicros = model.readMicros();
  private volatile double rowMicros = model.rowMicros();
  private volatile double byteMicros = model.byteMicros();

  /** Returns the sizes of large answers. */
  LargeReads largeReads() {
    return largeReads;
  }

  /** Creates the model of a table without answers. */
  synchronized CostModel forTable() {
    return model.ofAnotherTable();
  }

  /**
   * Returns the factor by which the costs of a table may be wrong: by two standard errors of the
   * mean of the answers that they were learned from. It is 7 for one answer, e for four, and from
   * nine on {@value #MIN_MARGIN}.
   *
   * @param answers their number, at least 1
   */
  static double margin(int answers) {
    return Math.max(MIN_MARGIN, Math.exp(DOUBT / Math.sqrt(answers)));
  }

  /**
   * Moves the predicted work of a table's read toward that of equal reads of other tables. What is
   * uncertain must not decide which of two equal reads goes first.
   *
   * @param micros the work by the costs of the table, µs
   * @param margin the largest factor of the move; at least 1
   */
  double shrink(double micros, double rows, double bytes, double margin) {
    double usual = readMicros + rowMicros * rows + byteMicros * bytes;
    return micros > usual ? Math.max(usual, micros / margin) : Math.min(usual, micros * margin);
  }

  /** Learns from an answer of any table that took {@code micros} at an uncrowded node. */
  synchronized void learn(double rows, double bytes, double micros) {
    model.learn(rows, bytes, micros);
    readMicros = model.readMicros();
    rowMicros = model.rowMicros();
    byteMicros = model.byteMicros();
  }

  /** Learns the size of rows from the first rows of a table. */
  synchronized void observe(long rows, long bytes) {
    model.observe(rows, bytes);
  }
}
