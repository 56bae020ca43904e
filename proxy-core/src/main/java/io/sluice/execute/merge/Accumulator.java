package io.sluice.execute.merge;

import io.sluice.wire.RowsAnswer.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * Combines the results of all pieces for one column of an aggregate. Each piece holds a result of
 * Cassandra's own aggregates (its {@code AggregateFcts}).
 */
interface Accumulator {

  /**
   * Adds the row of one piece, in the order of the pieces.
   *
   * @throws ArithmeticException when decimals take too long to combine
   */
  void add(RowCursor row);

  /** Returns the cell of the result; null for a null value. */
  byte @Nullable [] result();
}
