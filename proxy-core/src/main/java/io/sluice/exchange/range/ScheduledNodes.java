package io.sluice.exchange.range;

import io.sluice.decide.plan.IdleNodes;
import io.sluice.decide.schedule.SpareTime;
import io.sluice.ring.NodeId;

/**
 * The nodes that have time for a part of a page, by the work that this proxy has sent them.
 *
 * @param time the time that they have for reads of the page's table
 */
record ScheduledNodes(SpareTime time) implements IdleNodes {

  /** A node is idle if it will have done all its work after this time. */
  private static final double IDLE_NANOS = 1_000_000;

  /**
   * Rows that take so many times the fixed cost of a read are worth a request of their own, which
   * then adds at most a twelfth to the work.
   */
  private static final double WORTH_FIXED_COSTS = 12;

  @Override
  public boolean isIdle(NodeId node) {
    return time.doneAfterNanos(node) < IDLE_NANOS;
  }

  @Override
  public double leastRows() {
    return time.rowsOfFixedCosts(WORTH_FIXED_COSTS);
  }
}
