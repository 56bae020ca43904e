package org.apache.cassandra.db;

/** Stands in for Cassandra's class. */
public final class ColumnFamilyStore {
  public final Keyspace keyspace;
  public final String name;

  public ColumnFamilyStore(String keyspace, String name) {
    this.keyspace = new Keyspace(keyspace);
    this.name = name;
  }
}
