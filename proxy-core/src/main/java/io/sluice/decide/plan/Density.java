package io.sluice.decide.plan;

import io.sluice.ring.TokenRange;

/** Estimates the partitions and rows in each part of a table. Safe for any thread. */
public interface Density {

  /** A density of an unknown table, which may be empty or huge. */
  Density UNKNOWN =
      new Density() {
        @Override
        public boolean known() {
          return false;
        }

        @Override
        public double partitions(TokenRange range) {
          return 0;
        }

        @Override
        public double rows(TokenRange range) {
          return 0;
        }
      };

  /** Whether there is a basis for estimates. */
  boolean known();

  /** Returns the partitions in {@code range}, at least 0. */
  double partitions(TokenRange range);

  /** Returns the rows in {@code range}, at least 0. */
  double rows(TokenRange range);

  /**
   * Returns the rows of the table in {@code range}, which a node reads to find those that the
   * statement returns. At least 0, and infinite when unknown.
   */
  default double rowsRead(TokenRange range) {
    return rows(range);
  }

  /**
   * Estimates the rows that a read of {@code range} returns, for its place in the order.
   *
   * @param wanted rows that it asks for at most: its page or LIMIT, or a guess without either
   * @return at most {@code wanted}, and {@code wanted} while nothing is known of any table
   */
  default double expected(TokenRange range, double wanted) {
    return known() ? Math.min(wanted, rows(range)) : wanted;
  }
}
