package io.sluice.decide.schedule;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The costs of reads at one node, by table. Times are in ns. A table that was evicted here starts
 * again from the costs that all nodes have shown for it. Not safe for several threads.
 */
final class NodeCosts {
  /** Tables whose costs are kept, summed over all nodes. */
  private static final int MAX_TABLES_OF_ALL_NODES = 65_536;

  /** Tables that each node keeps at least, however many nodes there are. */
  private static final int MIN_TABLES = 64;

  private final Map<TableCosts, TableAtNode> tables;
  private long rangeReads;
  private double restatement = 1;

  /**
   * Creates an empty cache. It keeps the most recently read tables, up to the node's share when
   * there are {@code nodes}.
   */
  NodeCosts(int nodes) {
    int most = Math.max(MIN_TABLES, MAX_TABLES_OF_ALL_NODES / Math.max(1, nodes));
    this.tables =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<TableCosts, TableAtNode> eldest) {
            return size() > most;
          }
        };
  }

  /** Returns how many tables have costs of their own at this node. */
  int size() {
    return tables.size();
  }

  private static long estimateNanos(TableAtNode table, QueueEntry entry) {
    return (long) (table.model.estimate(entry.rows) * CostModel.NANOS_PER_MICRO);
  }

  /** Sets an entry's predicted work, and the time after which it is late. */
  void expect(QueueEntry entry) {
    TableAtNode table = table(entry);
    entry.workNanos = estimateNanos(table, entry);
    if (entry.isOnePartition()) {
      entry.lateNanos = entry.query.costs().lateNanos(table.points.nanos());
    }
  }

  /**
   * Returns the predicted work of an entry, ns. Unlike {@link #expect}, it remembers nothing about
   * the table.
   */
  double predictNanos(QueueEntry entry) {
    TableAtNode known = tables.get(entry.query.costs());
    double micros =
        known == null
            ? entry.query.costs().estimate(entry.rows, 1)
            : known.model.estimate(entry.rows);
    return micros * CostModel.NANOS_PER_MICRO;
  }

  /** Returns the work of an empty answer to an entry, ns. */
  long leastNanos(QueueEntry entry) {
    return (long) (table(entry).model.estimate(0) * CostModel.NANOS_PER_MICRO);
  }

  /** Converts work to reads of one row of the entry's table; above 0. */
  double pointReads(QueueEntry entry, double workNanos) {
    return workNanos / (table(entry).model.estimate(1) * CostModel.NANOS_PER_MICRO);
  }

  /**
   * Learns from an answer.
   *
   * @param rows negative when the rows were not counted
   * @param tookNanos above 0
   * @return the work in the answer by the costs known before it, ns; above 0
   */
  double answered(QueueEntry entry, long rows, long bytes, long tookNanos) {
    TableAtNode here = table(entry);
    CostModel model = here.model;
    model.observe(rows, bytes);
    double read = rows >= 0 ? (double) rows : model.rowsOfBytes(bytes);
    double work = model.work(read, (double) bytes);
    double micros = entry.uncrowded ? tookNanos / CostModel.NANOS_PER_MICRO : Double.NaN;
    restatement = 1;
    if (!entry.isPoint()) {
      here.addRangeRead(read, (double) bytes, ++rangeReads);
    }
    if (entry.uncrowded) {
      learn(here, read, (double) bytes, micros);
    }
    if (entry.isOnePartition()) {
      here.points.add(tookNanos);
      entry.query.costs().addQuantile(here.points.nanos());
    }
    entry.query.costs().answered(entry.query.facts(), bytes);
    entry.query.costs().answered(rows, read, bytes, micros);
    return work * CostModel.NANOS_PER_MICRO;
  }

  /**
   * Returns how the last answer changed the predicted work of the node's range reads: the work
   * before over the work now. A table counts by its share of the range reads.
   */
  double restatement() {
    return restatement;
  }

  private void learn(TableAtNode table, double rows, double bytes, double micros) {
    double before = table.typicalWork();
    table.model.learn(rows, bytes, micros);
    if (!Double.isNaN(before)) {
      restatement = Math.pow(before / table.typicalWork(), table.share(rangeReads));
    }
  }

  private TableAtNode table(QueueEntry entry) {
    TableCosts costs = entry.query.costs();
    TableAtNode table = tables.get(costs);
    if (table == null) {
      table = new TableAtNode(costs.forNode());
      tables.put(costs, table);
    }
    return table;
  }
}
