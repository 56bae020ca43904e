package org.apache.cassandra.net;

public enum Verb {
  READ_REQ,
  RANGE_REQ,
  MUTATION_REQ;

  public long expiresAfterNanos() {
    return 5000;
  }
}
