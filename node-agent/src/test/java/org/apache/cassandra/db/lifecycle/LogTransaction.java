package org.apache.cassandra.db.lifecycle;

import java.util.function.Consumer;

/** Stands in for Cassandra's class. */
public final class LogTransaction {
  private LogTransaction() {}

  /** Stands in for Cassandra's class; what it is for is done by what it is given. */
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
