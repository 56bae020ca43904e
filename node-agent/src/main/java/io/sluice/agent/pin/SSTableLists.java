package io.sluice.agent.pin;

import org.jspecify.annotations.Nullable;

/** Reads the SSTables of tables. Safe for any thread. */
interface SSTableLists {
  /**
   * Returns the live SSTables of a tracker's table; null if the tracker has no table.
   *
   * @param tracker Cassandra's {@code Tracker}
   */
  @Nullable SSTableListing of(Object tracker) throws ReflectiveOperationException;
}
