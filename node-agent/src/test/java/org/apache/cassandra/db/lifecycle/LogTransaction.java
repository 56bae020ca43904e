package org.apache.cassandra.db.lifecycle;

import java.util.function.Consumer;

/** A stand-in for Cassandra's class. */
public final class LogTransaction {
  private LogTransaction() {}

  /** A stand-in for Cassandra's class, which does its work by a given object. */
  public static class SSTableTidier implements Runnable {
    private final Object desc;
    private final Consumer<Object> delete;

    public SSTableTidier(Object desc, Consumer<Object> delete) {
      this.desc = desc;
      this.delete = delete;
    }

    @Override
    public void run() {
      delete.accept(desc);
    }
  }
}
