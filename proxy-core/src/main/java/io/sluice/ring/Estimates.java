package io.sluice.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes' own counts of partitions, as far as they are new. Immutable.
 *
 * <p>Nodes count what is on their disks, every five minutes: what is in memory only is missing, a
 * partition that lies in several files counts several times, and small numbers are rough.
 *
 * @param tables what was counted where, for each table of which something else was counted than
 *     before; empty for one that no node counts any more. The ranges of one node are disjoint;
 *     those of different nodes may overlap, or leave gaps, while the ring changes
 */
public record Estimates(Map<TableName, List<Counted>> tables) {

  public Estimates {
    Map<TableName, List<Counted>> copy = new HashMap<>();
    tables.forEach((table, counted) -> copy.put(table, List.copyOf(counted)));
    tables = Map.copyOf(copy);
  }

  /**
   * What one node holds of one range.
   *
   * @param range where
   * @param partitions how many, at least 0
   * @param meanPartitionBytes their mean size on disk, in bytes before compression, at least 0
   */
  public record Counted(TokenRange range, long partitions, long meanPartitionBytes) {}
}
