package org.apache.cassandra.streaming;

/** A stand-in for Cassandra's class. */
public class StreamMessageHeader {
  public final String tableId = "t";
}
