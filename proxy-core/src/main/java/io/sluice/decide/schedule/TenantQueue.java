package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
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

  private int inFlight;
  private long served;
  private double workNanos;
  private long refused;

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
    this.workNanos += workNanos;
  }

  /** One that has waited has started. */
  void started() {
    inFlight++;
    served++;
  }

  /** One that has waited has ended. */
  void ended() {
    inFlight--;
  }

  /** One was refused. */
  void refused() {
    refused++;
  }

  /** The state now; {@code name} is the tenant's. */
  TenantState state(String name) {
    return new TenantState(
        name, weight, points.size(), ranges.size(), inFlight, served, workNanos, refused);
  }

  void add(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry.query));
    entry.tenant = number;
    entry.handle = line(entry).add(entry, keyInLine(entry), entry.query.sequence(), entry.segment);
  }

  void remove(QueueEntry entry) {
    line(entry).remove(entry.handle);
  }

  /** Moves a queued entry to where its query stands now. */
  void moveForward(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry.query));
    line(entry).decrease(entry.handle, keyInLine(entry));
  }

  /** The first for which there is a slot; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    QueueEntry point = points.isEmpty() ? null : points.head();
    if (ranges.isEmpty() || !ledger.hasSlotFor(ranges.head().slotClass())) {
      return point;
    }
    QueueEntry range = ranges.head();
    return point == null || (!rule.pointsFirst() && precedes(range, point)) ? range : point;
  }

  /** The first of all, whether there is a slot or not; null when nothing waits. */
  @Nullable QueueEntry any() {
    RunQueue<QueueEntry> line = points.isEmpty() ? ranges : points;
    return line.isEmpty() ? null : line.head();
  }

  private static boolean precedes(QueueEntry a, QueueEntry b) {
    return a.key != b.key ? a.key < b.key : a.query.sequence() < b.query.sequence();
  }

  private long keyInLine(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? rule.keyAmongPoints(entry.query) : entry.key;
  }

  private RunQueue<QueueEntry> line(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? points : ranges;
  }
}
