package io.sluice.agent.join;

/** Cassandra's tables, each a {@code ColumnFamilyStore}. Safe for any thread. */
interface CompactedTables {
  String keyspaceOf(Object table) throws ReflectiveOperationException;

  /** How many live SSTables it has. */
  int sstablesOf(Object table) throws ReflectiveOperationException;

  /** Lets Cassandra look for something to compact, as it does by itself after each change. */
  void submit(Object table) throws ReflectiveOperationException;
}
