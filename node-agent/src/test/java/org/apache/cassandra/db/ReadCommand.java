package org.apache.cassandra.db;

public class ReadCommand {
  private final DataLimits limits;

  public ReadCommand(int limit) {
    this.limits = new DataLimits(limit);
  }

  public DataLimits limits() {
    return limits;
  }
}
