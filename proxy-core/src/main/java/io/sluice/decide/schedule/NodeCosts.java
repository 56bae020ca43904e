package io.sluice.decide.schedule;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The costs of reads at one node, table by table; times in ns. Not safe for threads. */
final class NodeCosts {
  static final double NANOS_PER_MICRO = 1000;

  /** A read of middling size. */
  private static final double MIDDLING_ROWS = 100;

  /** By the tables' index. */
  private final List<@Nullable CostModel> models = new ArrayList<>();

  /** The work a demand will be, ns. */
  long estimateNanos(Demand demand) {
    return (long) (model(demand).estimate(demand.rows()) * NANOS_PER_MICRO);
  }

  /** The work of the smallest answer to a demand, ns. */
  long leastNanos(Demand demand) {
    return (long) (model(demand).estimate(0) * NANOS_PER_MICRO);
  }

  /** The work of a read of middling size of the demand's table, ns. */
  double middlingNanos(Demand demand) {
    return model(demand).estimate(MIDDLING_ROWS) * NANOS_PER_MICRO;
  }

  /**
   * Learns from an answer.
   *
   * @param rows negative when nobody counted them
   * @param tookNanos above 0
   * @return the work that was in it as known before, ns; above 0
   */
  double answered(Demand demand, long rows, long bytes, long tookNanos) {
    CostModel model = model(demand);
    TableCosts table = demand.query().costs();
    model.observe(rows, bytes);
    double read = rows >= 0 ? (double) rows : model.rowsIn(bytes);
    double work = model.work(read, (double) bytes);
    if (demand.uncrowded) {
      model.learn(read, (double) bytes, tookNanos / NANOS_PER_MICRO);
    }
    table.answered(demand, rows, read, bytes, tookNanos / NANOS_PER_MICRO);
    return work * NANOS_PER_MICRO;
  }

  private CostModel model(Demand demand) {
    TableCosts table = demand.query().costs();
    while (models.size() <= table.index()) {
      models.add(null);
    }
    CostModel model = models.get(table.index());
    if (model == null) {
      model = table.forNode();
      models.set(table.index(), model);
    }
    return model;
  }
}
