package org.apache.cassandra.service;

import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.net.Verb;

public final class StorageProxy {
  private StorageProxy() {}

  public abstract static class DroppableRunnable implements Runnable {
    final long approxCreationTimeNanos = 70;
    final Verb verb = Verb.READ_REQ;
  }

  public static final class LocalReadRunnable extends DroppableRunnable {
    private final ReadCommand command;

    public LocalReadRunnable(ReadCommand command) {
      this.command = command;
    }

    @Override
    public void run() {
      throw new AssertionError("not in this test: " + command + approxCreationTimeNanos + verb);
    }
  }
}
