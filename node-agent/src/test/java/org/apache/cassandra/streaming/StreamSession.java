package org.apache.cassandra.streaming;

/** A stand-in for Cassandra's class. */
public class StreamSession {
  private final Object receiver;

  /**
   * Creates a session.
   *
   * @param receiver null if its task has ended
   */
  public StreamSession(Object receiver) {
    this.receiver = receiver;
  }

  public Object getAggregator(String tableId) {
    if (receiver == null) {
      throw new IllegalStateException(tableId + " already finished");
    }
    return receiver;
  }
}
