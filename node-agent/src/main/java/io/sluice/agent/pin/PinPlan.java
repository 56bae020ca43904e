package io.sluice.agent.pin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the files to keep in memory. Indexes come before files that Cassandra copies, then tables
 * with more reads for each byte of their indexes, then the order of paths. In this order, each file
 * that still fits is taken. A table without reads gets nothing. Not safe for several threads.
 */
final class PinPlan {
  /**
   * The factor by which a table must have more reads for each byte to displace a table whose files
   * are kept. Reading files from disk costs more than a slightly better order gains.
   */
  static final double HYSTERESIS = 1.5;

  private final Map<String, Double> reads;
  private final Set<String> held;
  private final Map<String, Double> heatOfTable = new HashMap<>();
  private final List<IndexFile> ranked;

  /**
   * Creates a plan.
   *
   * @param files all files that could be kept
   * @param reads recent reads of each table; a missing table has none
   * @param held paths of the files kept now
   */
  PinPlan(Collection<IndexFile> files, Map<String, Double> reads, Set<String> held) {
    this.reads = reads;
    this.held = held;
    Map<String, Long> indexBytes = new HashMap<>();
    for (IndexFile each : files) {
      if (!each.copied()) {
        indexBytes.merge(each.table(), each.bytes(), Long::sum);
      }
    }
    indexBytes.forEach(
        (table, bytes) -> heatOfTable.put(table, reads.getOrDefault(table, 0.0) / bytes));
    ranked = new ArrayList<>();
    for (IndexFile each : files) {
      if (heatOfTable.getOrDefault(each.table(), 0.0) > 0) {
        ranked.add(each);
      }
    }
    ranked.sort(
        Comparator.comparing(IndexFile::copied)
            .thenComparing(Comparator.comparingDouble(this::heat).reversed())
            .thenComparing(IndexFile::path));
  }

  private double heat(IndexFile file) {
    double ofTable = heatOfTable.getOrDefault(file.table(), 0.0);
    return held.contains(file.path()) ? ofTable * HYSTERESIS : ofTable;
  }

  /**
   * Returns the files to keep, in the order of the plan.
   *
   * @param budget bytes of memory, at least 0
   * @param pageSize bytes of a page; a file takes whole pages
   * @param mostFiles most files to return
   */
  List<IndexFile> within(long budget, int pageSize, int mostFiles) {
    List<IndexFile> chosen = new ArrayList<>();
    long left = budget;
    for (IndexFile each : ranked) {
      long bytes = pages(each.bytes(), pageSize);
      if (bytes <= left && chosen.size() < mostFiles) {
        chosen.add(each);
        left -= bytes;
      }
    }
    return chosen;
  }

  /** Returns the budget that all files of all tables with reads would need, in bytes. */
  long wantedBytes(int pageSize) {
    return ranked.stream().mapToLong(each -> pages(each.bytes(), pageSize)).sum();
  }

  /** Returns the bytes of memory for a file of that length. */
  static long pages(long bytes, int pageSize) {
    return (bytes + pageSize - 1) / pageSize * pageSize;
  }

  @Override
  public String toString() {
    return ranked + " by " + reads;
  }
}
