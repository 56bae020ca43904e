package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The entries of one tenant at one node: point reads apart from range reads, since they are limited
 * apart. Not safe for several threads.
 */
final class TenantQueue {
  private final int number;
  private final OrderingPolicy rule;
  private final double weight;
  private final RunQueue<QueueEntry> points = new RunQueue<>();
  private final RunQueue<QueueEntry> ranges = new RunQueue<>();

  /** What it used of the node, over its weight, on the node's virtual clock. */
  private double used;

  /**
   * An empty queue.
   *
   * @param number what its entries know it by
   */
  TenantQueue(int number, OrderingPolicy rule, double weight) {
    this.number = number;
    this.rule = rule;
    this.weight = weight;
  }

  int number() {
    return number;
  }

  int size() {
    return points.size() + ranges.size();
  }

  double used() {
    return used;
  }

  /** Catches up with the node's virtual clock: nothing is saved up while no entry waits. */
  void arriveAt(double virtualNow) {
    used = Math.max(used, virtualNow);
  }

  /** Charges work; negative when more was charged than it took. */
  void charge(double workNanos) {
    used += workNanos / weight;
  }

  void add(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry.query));
    entry.tenant = number;
    entry.handle = line(entry).add(entry, entry.key, entry.query.sequence(), entry.segment);
  }

  void remove(QueueEntry entry) {
    line(entry).remove(entry.handle);
  }

  /** Moves a queued entry to where its query stands now. */
  void moveForward(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry.query));
    line(entry).decrease(entry.handle, entry.key);
  }

  /** The first that may go; null when none may. */
  @Nullable QueueEntry head(boolean rangeSlotFree) {
    QueueEntry range = ranges.isEmpty() ? null : ranges.head();
    if (range != null && !rangeSlotFree && !range.isPoint()) {
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

  private RunQueue<QueueEntry> line(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? points : ranges;
  }
}
