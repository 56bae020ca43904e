package org.apache.cassandra.db;

import java.util.HashSet;
import java.util.Set;

/** A stand-in for Cassandra's class. */
public final class ColumnFamilyStore {
  public final Keyspace keyspace;
  public final String name;
  public final Set<Object> live = new HashSet<>();

  public ColumnFamilyStore(String keyspace, String name) {
    this.keyspace = new Keyspace(keyspace);
    this.name = name;
  }

  public Set<Object> getLiveSSTables() {
    return live;
  }
}
