package io.sluice.decide.predict;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The usual size of a table of which nothing was known when it was first read. The next such table
 * is assumed to be as large, for the place of its reads in the order. It is the geometric mean of
 * about the last {@value #MEMORY} tables: a mean of rows would be that of the largest one. Safe for
 * any thread; its lock is a leaf.
 */
final class NewTables {
  private static final int MEMORY = 20;

  @GuardedBy("this")
  private double logRows;

  @GuardedBy("this")
  private int tables;

  /**
   * Learns from the first answer of a table.
   *
   * @param rows the rows that were found, at least 0
   * @param share the part of the ring that they were in, above 0 and at most 1
   */
  synchronized void learn(double rows, double share) {
    tables = Math.min(MEMORY, tables + 1);
    logRows += (Math.log1p(rows / share) - logRows) / tables;
  }

  /**
   * Returns the rows to expect in a part of the ring; infinite while no table was learned.
   *
   * @param share the part, 0 to 1
   */
  synchronized double rows(double share) {
    return tables == 0 ? Double.POSITIVE_INFINITY : Math.expm1(logRows) * share;
  }
}
