package io.sluice.agent.pin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the files to hold. Files are ranked: indexes before files that Cassandra has copied, then
 * by reads of their table for each byte of its indexes, then by path. In this order each file that
 * still fits is taken. A table without reads gets nothing. Not safe for several threads.
 */
final class PinPlan {
  /**
   * How much hotter a table must be to displace one whose files are held: reading files in costs
   * more than a slightly better order is worth.
   */
  static final double DISPLACES = 1.5;

  private final Map<String, Double> reads;
  private final Set<String> held;
  private final Map<String, Double> heatOfTable = new HashMap<>();
  private final List<IndexFile> ranked;

  /**
   * @param files all that could be held
   * @param reads recent reads of each table; none if it is missing
   * @param held paths that are held now
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
    return held.contains(file.path()) ? ofTable * DISPLACES : ofTable;
  }

  /**
   * The files to hold, most wanted first.
   *
   * @param budget bytes of memory, at least 0
   * @param pageSize bytes of a page: a file takes whole pages
   * @param mostFiles the kernel bounds the mappings of a process
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

  /** Bytes that a budget would need to hold every file of a table that is read. */
  long wantedBytes(int pageSize) {
    return ranked.stream().mapToLong(each -> pages(each.bytes(), pageSize)).sum();
  }

  /** Bytes of memory that a file of that length takes. */
  static long pages(long bytes, int pageSize) {
    return (bytes + pageSize - 1) / pageSize * pageSize;
  }

  @Override
  public String toString() {
    return ranked + " by " + reads;
  }
}
