package org.apache.cassandra.db;

public final class SinglePartitionReadCommand extends ReadCommand {
  public SinglePartitionReadCommand(int limit) {
    super(limit);
  }
}
