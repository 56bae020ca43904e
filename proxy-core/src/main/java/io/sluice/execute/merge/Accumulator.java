package io.sluice.execute.merge;

import io.sluice.wire.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * One result column of an aggregate in the making. The pieces hold results of Cassandra's own
 * aggregates (its {@code AggregateFcts}), so this only has to put results together.
 */
interface Accumulator {

  /** Takes the row of one piece, in the order of the pieces. */
  void add(RowCursor row);

  /** The result's cell; null for null. */
  byte @Nullable [] result();
}
