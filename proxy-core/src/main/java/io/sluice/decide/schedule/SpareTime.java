package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/** The time that nodes have for reads of one table, now. Safe for any thread. */
public final class SpareTime {

  private final ReplicaChoice choice;
  private final TableCosts costs;

  SpareTime(ReplicaChoice choice, TableCosts costs) {
    this.choice = choice;
    this.costs = costs;
  }

  /**
   * Returns when a node will have done all that is queued and in flight there, ns from now;
   * infinite for a node that is unknown, avoided or suspect. Takes no lock.
   */
  public double doneAfterNanos(NodeId node) {
    LockedNodeQueue queue = choice.queues().get(node);
    return queue == null || queue.standing() != NodeStanding.NORMAL
        ? Double.POSITIVE_INFINITY
        : queue.doneAfterNanos(0);
  }

  /** Returns how many rows take {@code multiple} times the fixed cost of a read. */
  public double rowsOfFixedCosts(double multiple) {
    return costs.rowsOfFixedCosts(multiple);
  }
}
