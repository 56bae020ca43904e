package org.apache.cassandra.db;

public class PartitionRangeReadCommand extends ReadCommand {
  public PartitionRangeReadCommand(int limit) {
    super(limit);
  }
}
