package org.apache.cassandra.db.streaming;

/** A stand-in for Cassandra's class. */
public class CassandraStreamReceiver {
  public boolean committed;
  public boolean aborted;

  public synchronized void received(CassandraIncomingFile file) throws Exception {
    file.finish();
  }

  public synchronized void finishTransaction() {
    committed = true;
  }

  public synchronized void abort() {
    aborted = true;
  }
}
