package io.sluice.decide.schedule;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The costs of reads at one node, table by table; times in ns. What is forgotten of a table here
 * begins anew from what all nodes have shown of it. Not safe for several threads.
 */
final class NodeCosts {
  static final double NANOS_PER_MICRO = 1000;

  /** A read of middling size. */
  private static final double MIDDLING_ROWS = 100;

  /** Tables of all nodes together of which the node's own costs are kept. */
  private static final int MOST = 65_536;

  /** The same of one node, however many nodes there are. */
  private static final int FEWEST = 64;

  private final Map<TableCosts, CostModel> models;

  /** Keeps the costs of the tables read last: its share of what {@code nodes} nodes may keep. */
  NodeCosts(int nodes) {
    int most = Math.max(FEWEST, MOST / Math.max(1, nodes));
    this.models =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<TableCosts, CostModel> eldest) {
            return size() > most;
          }
        };
  }

  /** Tables whose costs are known of this node by itself. */
  int size() {
    return models.size();
  }

  /** The work an entry will be, ns. */
  long estimateNanos(QueueEntry entry) {
    return (long) (model(entry).estimate(entry.rows) * NANOS_PER_MICRO);
  }

  /** The work of the smallest answer to an entry, ns. */
  long leastNanos(QueueEntry entry) {
    return (long) (model(entry).estimate(0) * NANOS_PER_MICRO);
  }

  /** The work of a read of middling size of the entry's table, ns. */
  double middlingNanos(QueueEntry entry) {
    return model(entry).estimate(MIDDLING_ROWS) * NANOS_PER_MICRO;
  }

  /**
   * Learns from an answer.
   *
   * @param rows negative when they were not counted
   * @param tookNanos above 0
   * @return the work that was in it as known before, ns; above 0
   */
  double answered(QueueEntry entry, long rows, long bytes, long tookNanos) {
    CostModel model = model(entry);
    TableCosts table = entry.query.costs();
    model.observe(rows, bytes);
    double read = rows >= 0 ? (double) rows : model.rowsIn(bytes);
    double work = model.work(read, (double) bytes);
    double micros = entry.uncrowded ? tookNanos / NANOS_PER_MICRO : Double.NaN;
    if (entry.uncrowded) {
      model.learn(read, (double) bytes, micros);
    }
    double expected = entry.isPoint() ? Double.NaN : entry.rows;
    table.answered(expected, rows, read, bytes, micros);
    return work * NANOS_PER_MICRO;
  }

  private CostModel model(QueueEntry entry) {
    TableCosts table = entry.query.costs();
    CostModel model = models.get(table);
    if (model == null) {
      model = table.forNode();
      models.put(table, model);
    }
    return model;
  }
}
