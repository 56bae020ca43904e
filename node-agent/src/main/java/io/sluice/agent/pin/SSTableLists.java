package io.sluice.agent.pin;

import org.jspecify.annotations.Nullable;

/** Reads which SSTables a table has. Safe for any thread. */
interface SSTableLists {
  /**
   * The live SSTables of the table that the tracker is for; null if it is for none.
   *
   * @param tracker Cassandra's {@code Tracker}
   */
  @Nullable SSTableListing of(Object tracker) throws ReflectiveOperationException;
}
