package org.apache.cassandra.db.lifecycle;

import java.nio.file.Path;

/** A stand-in for Cassandra's class. */
public class LogReplica {
  @SuppressWarnings("UnusedVariable") // read by the agent
  private final Path file;

  public LogReplica(String file) {
    this.file = Path.of(file);
  }

  public void append(String record) {
    if (record.isEmpty()) {
      throw new IllegalArgumentException("no record");
    }
  }
}
