package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import org.jspecify.annotations.Nullable;

/**
 * The demands of one tenant at one node: point reads apart from range reads, since they are limited
 * apart. Not safe for threads.
 */
final class TenantQueue {
  private final OrderingPolicy rule;
  private final double weight;
  private final RunQueue<Demand> points = new RunQueue<>();
  private final RunQueue<Demand> ranges = new RunQueue<>();

  /** What it used of the node, over its weight, on the node's virtual clock. */
  private double used;

  TenantQueue(OrderingPolicy rule, double weight) {
    this.rule = rule;
    this.weight = weight;
  }

  int size() {
    return points.size() + ranges.size();
  }

  double used() {
    return used;
  }

  /** Catches up with the node's virtual clock: nobody saves up while away. */
  void arriveAt(double virtualNow) {
    used = Math.max(used, virtualNow);
  }

  /** Charges work; negative when more was charged than it took. */
  void charge(double workNanos) {
    used += workNanos / weight;
  }

  void add(Demand demand) {
    demand.key = Math.min(demand.key, rule.key(demand.query()));
    demand.tenant = this;
    demand.handle =
        line(demand).add(demand, demand.key, demand.query().sequence(), demand.segment());
  }

  void remove(Demand demand) {
    line(demand).remove(demand.handle);
  }

  /** Moves a queued demand to where its query stands now. */
  void moveForward(Demand demand) {
    demand.key = Math.min(demand.key, rule.key(demand.query()));
    line(demand).decrease(demand.handle, demand.key);
  }

  /** The first that may go; null when none may. */
  @Nullable Demand head(boolean rangeSlotFree) {
    Demand range = ranges.isEmpty() ? null : ranges.head();
    if (range != null && !rangeSlotFree && !isPoint(range)) {
      range = null;
    }
    if (points.isEmpty()) {
      return range;
    }
    return range == null || pointPrecedes() ? points.head() : range;
  }

  private boolean pointPrecedes() {
    if (rule.pointsFirst() || points.headKey() != ranges.headKey()) {
      return rule.pointsFirst() || points.headKey() < ranges.headKey();
    }
    return points.headSequence() < ranges.headSequence();
  }

  private RunQueue<Demand> line(Demand demand) {
    return rule.waitsAsPoint(demand.query()) ? points : ranges;
  }

  private static boolean isPoint(Demand demand) {
    return demand.query().priorityClass() == PriorityClass.POINT;
  }
}
