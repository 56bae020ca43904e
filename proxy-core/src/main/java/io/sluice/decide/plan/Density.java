package io.sluice.decide.plan;

import io.sluice.ring.TokenRange;

/** The partitions and rows in each part of a table, as far as is known. Safe for any thread. */
public interface Density {

  /** Nothing is known of the table: it may be empty or huge. */
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

  /** Whether there is anything to estimate by. */
  boolean known();

  /** Partitions in {@code range}, at least 0. */
  double partitions(TokenRange range);

  /** Rows in {@code range}, at least 0. */
  double rows(TokenRange range);

  /**
   * Rows of the table in {@code range}, which a node reads for those that the statement returns; at
   * least 0, and infinite when that is not known.
   */
  default double rowsRead(TokenRange range) {
    return rows(range);
  }

  /**
   * Rows that a read of {@code range} will probably return, for its place in the order.
   *
   * @param wanted rows it asks for at most: its page or LIMIT, or a guess where it has neither
   * @return {@code wanted} while nothing is known
   */
  default double expected(TokenRange range, double wanted) {
    return known() ? Math.min(wanted, rows(range)) : wanted;
  }
}
