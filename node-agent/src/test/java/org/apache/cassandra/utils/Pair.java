package org.apache.cassandra.utils;

/** A stand-in for Cassandra's class. */
public final class Pair<A, B> {
  public final A left;
  public final B right;

  public Pair(A left, B right) {
    this.left = left;
    this.right = right;
  }
}
