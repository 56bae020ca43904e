package org.apache.cassandra.streaming;

/** Stands in for Cassandra's class. */
public class StreamMessageHeader {
  public final String tableId = "t";
}
