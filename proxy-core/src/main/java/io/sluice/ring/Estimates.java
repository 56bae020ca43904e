package io.sluice.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The estimates of partitions by token range, as the nodes publish them. Immutable; equal when all
 * of them say the same.
 *
 * <p>Nodes count what is on their disks, every five minutes: what is in memory only is missing, a
 * partition that lies in several files counts several times, and small numbers are rough.
 *
 * @param tables for each table that somebody has counted, what was counted where. The ranges of one
 *     node are disjoint; those of different nodes may overlap, or leave gaps, while the ring
 *     changes
 */
public record Estimates(Map<TableName, List<Counted>> tables) {

  /** Nothing has been counted. */
  public static final Estimates NONE = new Estimates(Map.of());

  public Estimates {
    Map<TableName, List<Counted>> copy = new HashMap<>();
    tables.forEach((table, counted) -> copy.put(table, List.copyOf(counted)));
    tables = Map.copyOf(copy);
  }

  /** What was counted of {@code table}, empty when nothing was. */
  public List<Counted> of(TableName table) {
    return tables.getOrDefault(table, List.of());
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
