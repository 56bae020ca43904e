package io.sluice.simulator.cluster;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.SplitConfig.Parallel;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.Map;

/**
 * The system between clients and nodes. All but the first are the proxy's scheduler and cutter with
 * settings; the paper's have as many range slots as the node has read threads, since its queue is
 * the node's own, and choose a replica by lot.
 */
public enum Variant {
  /** No proxy: Cassandra coordinates, in waves of parallel requests with the full LIMIT. */
  STOCK("stock", false, RangeOrder.FIFO, Parallel.OFF, 1),
  /** The paper's original Cassandra: first in, first out, a range read's pieces one by one. */
  O("O", false, RangeOrder.FIFO, Parallel.PAPER, 1),
  /** O with point reads first. */
  RES("ReS", true, RangeOrder.FIFO, Parallel.PAPER, 1),
  /** O with pieces in parallel. */
  P("P", false, RangeOrder.FIFO, Parallel.PAPER, Variant.IN_PARALLEL),
  /** Point reads first and pieces in parallel. */
  RES_P("ReS+P", true, RangeOrder.FIFO, Parallel.PAPER, Variant.IN_PARALLEL),
  /** Pieces in parallel, narrow range reads first. */
  P_RAS("P+RaS", false, RangeOrder.NARROW_FIRST, Parallel.PAPER, Variant.IN_PARALLEL),
  /** All of the paper's. */
  A("A", true, RangeOrder.NARROW_FIRST, Parallel.PAPER, Variant.IN_PARALLEL),
  /** Sluice with its defaults. */
  SLUICE("Sluice", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL),
  /** Sluice with a fixed number of range slots, 1.25 a core: what the limiter has to beat. */
  SLUICE_FIXED(
      "Sluice-fixed", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL),
  /** Sluice where range reads that want the same rows are each read alone. */
  SLUICE_APART(
      "Sluice-apart", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL);

  private static final int IN_PARALLEL = 32;
  private static final double SLOTS_PER_CORE = 1.25;

  private final String label;
  private final boolean pointPriority;
  private final RangeOrder order;
  private final Parallel parallel;
  private final int subRequests;

  Variant(
      String label, boolean pointPriority, RangeOrder order, Parallel parallel, int subRequests) {
    this.label = label;
    this.pointPriority = pointPriority;
    this.order = order;
    this.parallel = parallel;
    this.subRequests = subRequests;
  }

  /** Its name for people. */
  public String label() {
    return label;
  }

  boolean isSluice() {
    return this == SLUICE || this == SLUICE_FIXED || this == SLUICE_APART;
  }

  SplitConfig split() {
    SplitConfig defaults = SplitConfig.defaults();
    return new SplitConfig(
        parallel,
        defaults.targetPartitions(),
        subRequests,
        defaults.maxBufferedBytes(),
        isSluice() && this != SLUICE_APART);
  }

  /** The proxy's settings in front of nodes like these. */
  SchedulingConfig scheduling(ClusterSetting.Hardware hardware) {
    SchedulingConfig defaults = SchedulingConfig.defaults();
    if (isSluice() && this != SLUICE_FIXED) {
      return defaults;
    }
    int fixed = (int) Math.max(1, Math.round(SLOTS_PER_CORE * hardware.cores()));
    int slots = isSluice() ? fixed : hardware.readThreads();
    double backlog = isSluice() ? defaults.rangeBacklog() : Double.MAX_VALUE;
    return new SchedulingConfig(
        Mode.ENFORCE,
        pointPriority,
        order,
        0,
        slots,
        slots,
        1,
        Timeouts.POINT,
        Timeouts.RANGE,
        isSluice() ? defaults.pointBacklog() : backlog,
        backlog,
        defaults.ageing(),
        Map.of());
  }
}
