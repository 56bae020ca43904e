package org.apache.cassandra.db;

/** A stand-in for Cassandra's class. */
public final class Keyspace {
  private final String name;

  public Keyspace(String name) {
    this.name = name;
  }

  public String getName() {
    return name;
  }
}
