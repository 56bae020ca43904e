package io.sluice.agent.join;

/** Access to Cassandra's tables, each a {@code ColumnFamilyStore}. Safe for any thread. */
interface CompactedTables {
  String keyspaceOf(Object table) throws ReflectiveOperationException;

  /** Returns the number of live SSTables. */
  int sstablesOf(Object table) throws ReflectiveOperationException;

  /** Lets Cassandra look for a compaction, as it does itself after each change. */
  void submit(Object table) throws ReflectiveOperationException;
}
