package io.sluice.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * New counts of partitions from the nodes' size estimates. Immutable.
 *
 * <p>Nodes count the partitions on their disks every five minutes. Partitions in memtables only are
 * missing, a partition in several SSTables counts several times, and small numbers are rough.
 *
 * @param tables the counts of each table whose counts have changed; empty for a table that no node
 *     counts any more. The ranges of one node are disjoint. Those of different nodes may overlap or
 *     leave gaps while the ring changes
 */
public record Estimates(Map<TableName, List<Counted>> tables) {

  public Estimates {
    Map<TableName, List<Counted>> copy = new HashMap<>();
    tables.forEach((table, counted) -> copy.put(table, List.copyOf(counted)));
    tables = Map.copyOf(copy);
  }

  /**
   * The count of one node for one range.
   *
   * @param range the token range
   * @param partitions the number of partitions, at least 0
   * @param meanPartitionBytes their mean size on disk, in bytes before compression, at least 0
   */
  public record Counted(TokenRange range, long partitions, long meanPartitionBytes) {}
}
