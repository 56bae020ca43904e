package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The entries of one tenant at one node: those of each slot class apart, since they are limited
 * apart. Not safe for several threads.
 */
final class TenantQueue {
  private final int number;
  private OrderingPolicy rule;
  private double weight;
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

  /** Changes the order and the share; only while nothing is queued. */
  void change(OrderingPolicy newRule, double newWeight) {
    rule = newRule;
    weight = newWeight;
  }

  /** Changes the share, for what is charged from now on. */
  void weight(double next) {
    weight = next;
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

  /** The first for which there is a slot; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    RunQueue<QueueEntry> first = points.isEmpty() ? null : points;
    if (!ranges.isEmpty() && ledger.hasSlotFor(ranges.head().slotClass())) {
      first = first == null || (!rule.pointsFirst() && precedes(ranges, first)) ? ranges : first;
    }
    return first == null ? null : first.head();
  }

  /** The first of all, whether there is a slot or not; null when nothing waits. */
  @Nullable QueueEntry any() {
    RunQueue<QueueEntry> line = points.isEmpty() ? ranges : points;
    return line.isEmpty() ? null : line.head();
  }

  private static boolean precedes(RunQueue<QueueEntry> a, RunQueue<QueueEntry> b) {
    return a.headKey() != b.headKey()
        ? a.headKey() < b.headKey()
        : a.headSequence() < b.headSequence();
  }

  private RunQueue<QueueEntry> line(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? points : ranges;
  }
}
