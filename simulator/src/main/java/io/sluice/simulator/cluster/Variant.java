package io.sluice.simulator.cluster;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.SplitConfig.Parallel;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.Map;

/**
 * The system between clients and nodes. All but the first are the proxy's scheduler and cutter with
 * different settings. The paper's variants have as many range slots as the node has read threads,
 * since its queue is the node's own, and choose a replica at random.
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
  /** All orders of the paper together. */
  A("A", true, RangeOrder.NARROW_FIRST, Parallel.PAPER, Variant.IN_PARALLEL),
  /** Sluice with its defaults. */
  SLUICE("Sluice", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL),
  /** Sluice with a fixed number of range slots, 1.25 a core: the baseline for the limiter. */
  SLUICE_FIXED(
      "Sluice-fixed", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL),
  /** Sluice without shared scans. */
  SLUICE_APART(
      "Sluice-apart", true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL),
  /** Sluice where proxies divide a node's range slots by demand: the default of a fleet. */
  SLUICE_DIVIDED("Sluice-divided", Fleet.ALONE),
  /** Sluice where each of n proxies has an n-th of a fixed number of range slots, at least one. */
  SLUICE_DIVIDED_FIXED("Sluice-divided-fixed", Fleet.ALONE),
  /** Sluice without a limit on range reads, in front of nodes that order their read stages. */
  SLUICE_AGENT("Sluice-agent", Fleet.ALONE),
  /** Sluice whose slots at a node are leased, one read at a time, by one proxy for each node. */
  SLUICE_LEASES("Sluice-leases", Fleet.LEASES),
  /** Sluice with each node's range reads queued at one proxy, which reads for the others. */
  SLUICE_HOMES("Sluice-homes", Fleet.HOMES),
  /** Sluice with the range reads of all nodes queued at one proxy. */
  SLUICE_LEADER("Sluice-leader", Fleet.LEADER);

  /** The place where range reads wait in a fleet. */
  enum Fleet {
    /** At the proxy that the client is connected to. */
    ALONE,
    /** At the proxy that is the node's home; the client's own proxy sends the read. */
    LEASES,
    /**
     * At the proxy that is the node's home, which also sends the read, for several proxies
     * together.
     */
    HOMES,
    /** As {@code HOMES}, with one proxy as the home of all nodes. */
    LEADER
  }

  private static final int IN_PARALLEL = 32;
  private static final double SLOTS_PER_CORE = 1.25;

  /** Three quarters of {@code native_transport_max_threads}, as with the node agent. */
  private static final int SLOTS_WITH_AGENT = 96;

  private final String label;
  private final boolean pointPriority;
  private final RangeOrder order;
  private final Parallel parallel;
  private final int subRequests;
  private final Fleet fleet;

  Variant(String label, Fleet fleet) {
    this(label, true, RangeOrder.REMAINING_WORK, Parallel.WAVES, Variant.IN_PARALLEL, fleet);
  }

  Variant(
      String label, boolean pointPriority, RangeOrder order, Parallel parallel, int subRequests) {
    this(label, pointPriority, order, parallel, subRequests, Fleet.ALONE);
  }

  Variant(
      String label,
      boolean pointPriority,
      RangeOrder order,
      Parallel parallel,
      int subRequests,
      Fleet fleet) {
    this.label = label;
    this.pointPriority = pointPriority;
    this.order = order;
    this.parallel = parallel;
    this.subRequests = subRequests;
    this.fleet = fleet;
  }

  /** Returns the name for people. */
  public String label() {
    return label;
  }

  boolean isSluice() {
    return order == RangeOrder.REMAINING_WORK;
  }

  Fleet fleet() {
    return fleet;
  }

  /** Whether proxies divide the range slots of nodes by demand. */
  boolean divides() {
    return this == SLUICE_DIVIDED;
  }

  /** Whether nodes order their read stages. */
  boolean nodesOrder() {
    return this == SLUICE_AGENT;
  }

  /**
   * Returns the settings for splitting. Pieces span no owners, because a modelled node reads only
   * its own data.
   */
  SplitConfig split() {
    SplitConfig defaults = SplitConfig.defaults();
    return new SplitConfig(
        parallel,
        defaults.targetPartitions(),
        0,
        subRequests,
        defaults.maxBufferedBytes(),
        isSluice() && this != SLUICE_APART);
  }

  /** Returns the scheduling settings of each of {@code proxies} proxies in front of such nodes. */
  SchedulingConfig scheduling(ClusterSetting.Hardware hardware, int proxies) {
    SchedulingConfig defaults = SchedulingConfig.defaults();
    int slots =
        switch (this) {
          case SLUICE_FIXED -> fixed(hardware, 1);
          case SLUICE_DIVIDED_FIXED -> fixed(hardware, proxies);
          case SLUICE_AGENT -> SLOTS_WITH_AGENT;
          default -> isSluice() ? 0 : hardware.readThreads();
        };
    if (slots == 0) {
      return defaults;
    }
    double backlog = isSluice() ? defaults.rangeBacklog() : Double.MAX_VALUE;
    return new SchedulingConfig(
        Mode.ENFORCE,
        pointPriority,
        order,
        nodesOrder() ? SLOTS_WITH_AGENT : 0,
        slots,
        slots,
        1,
        0,
        0,
        Timeouts.POINT,
        Timeouts.RANGE,
        isSluice() ? defaults.pointBacklog() : backlog,
        backlog,
        defaults.ageing(),
        Map.of());
  }

  private static int fixed(ClusterSetting.Hardware hardware, int proxies) {
    return (int) Math.max(1, Math.round(SLOTS_PER_CORE * hardware.cores() / proxies));
  }
}
