package io.sluice.decide.schedule;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The costs of reads at one node, table by table; times in ns. What is forgotten of a table here
 * begins anew from what all nodes have shown of it. Not safe for several threads.
 */
final class NodeCosts {
  static final double NANOS_PER_MICRO = 1000;

  /** Tables of all nodes together of which the node's own costs are kept. */
  private static final int MOST = 65_536;

  /** The same of one node, however many nodes there are. */
  private static final int FEWEST = 64;

  private final Map<TableCosts, TableAtNode> tables;
  private long rangeReads;
  private double restatement = 1;

  /** Keeps the costs of the tables read last: its share of what {@code nodes} nodes may keep. */
  NodeCosts(int nodes) {
    int most = Math.max(FEWEST, MOST / Math.max(1, nodes));
    this.tables =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<TableCosts, TableAtNode> eldest) {
            return size() > most;
          }
        };
  }

  /** Tables whose costs are known of this node by itself. */
  int size() {
    return tables.size();
  }

  /** The work an entry will be, ns. */
  long estimateNanos(QueueEntry entry) {
    return estimateNanos(table(entry), entry);
  }

  private static long estimateNanos(TableAtNode table, QueueEntry entry) {
    return (long) (table.model.estimate(entry.rows) * NANOS_PER_MICRO);
  }

  /** Tells an entry the work that it will be, and when it will be late. */
  void expect(QueueEntry entry) {
    TableAtNode table = table(entry);
    entry.workNanos = estimateNanos(table, entry);
    if (entry.isOnePartition()) {
      entry.lateNanos = entry.query.costs().lateNanos(table.points.nanos());
    }
  }

  /** The same in ns, of which nothing is kept. */
  double predictNanos(QueueEntry entry) {
    TableAtNode known = tables.get(entry.query.costs());
    double micros =
        known == null
            ? entry.query.costs().estimate(entry.rows, 1)
            : known.model.estimate(entry.rows);
    return micros * NANOS_PER_MICRO;
  }

  /** The work of the smallest answer to an entry, ns. */
  long leastNanos(QueueEntry entry) {
    return (long) (table(entry).model.estimate(0) * NANOS_PER_MICRO);
  }

  /** How many reads of one row of an entry's table so much work is; above 0. */
  double pointReads(QueueEntry entry, double workNanos) {
    return workNanos / (table(entry).model.estimate(1) * NANOS_PER_MICRO);
  }

  /**
   * Learns from an answer.
   *
   * @param rows negative when they were not counted
   * @param tookNanos above 0
   * @return the work that was in it as known before, ns; above 0
   */
  double answered(QueueEntry entry, long rows, long bytes, long tookNanos) {
    TableAtNode here = table(entry);
    CostModel model = here.model;
    model.observe(rows, bytes);
    double read = rows >= 0 ? (double) rows : model.rowsIn(bytes);
    double work = model.work(read, (double) bytes);
    double micros = entry.uncrowded ? tookNanos / NANOS_PER_MICRO : Double.NaN;
    restatement = 1;
    if (entry.uncrowded) {
      learn(here, read, (double) bytes, micros);
    }
    if (!entry.isPoint()) {
      here.counts(read, (double) bytes, ++rangeReads);
    }
    if (entry.isOnePartition()) {
      here.points.add(tookNanos);
      entry.query.costs().usual(here.points.nanos());
    }
    double expected = entry.isPoint() ? Double.NaN : entry.rows;
    entry.query.costs().answered(expected, rows, read, bytes, micros);
    return work * NANOS_PER_MICRO;
  }

  /**
   * What the node's range reads are thought to take was changed by the last answer: as it was
   * before, over as it is now. A table counts as much as its share of the range reads.
   */
  double restatement() {
    return restatement;
  }

  private void learn(TableAtNode table, double rows, double bytes, double micros) {
    double before = table.usualWork();
    table.model.learn(rows, bytes, micros);
    if (!Double.isNaN(before)) {
      restatement = Math.pow(before / table.usualWork(), table.share(rangeReads));
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
