package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one tenant at one node. Each slot class has its own line, because the classes have
 * separate limits. Not safe for several threads.
 */
final class TenantQueue {
  private final int number;
  private OrderingPolicy rule;
  private double weight;
  private final RunQueue<QueueEntry> points = new RunQueue<>();
  private final RunQueue<QueueEntry> ranges = new RunQueue<>();

  /** The work used at the node over the weight, on the node's virtual clock. */
  private double used;

  private int inFlight;
  private long served;
  private double workNanos;
  private long refused;

  /**
   * Creates an empty queue.
   *
   * @param number the number that entries refer to the tenant by
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

  /** Changes the share, for later charges. */
  void weight(double next) {
    weight = next;
  }

  int number() {
    return number;
  }

  int size() {
    return points.size() + ranges.size();
  }

  /** Whether no entry is queued or in flight after a wait. */
  boolean isIdle() {
    return size() == 0 && inFlight == 0;
  }

  double used() {
    return used;
  }

  /**
   * Catches up with the node's virtual clock: a tenant saves up nothing while no entry of it waits.
   */
  void arriveAt(double virtualNow) {
    used = Math.max(used, virtualNow);
  }

  /** Charges work; negative to refund. */
  void charge(double workNanos) {
    used += workNanos / weight;
    this.workNanos += workNanos;
  }

  /** Counts the start of an entry that has waited. */
  void started() {
    inFlight++;
    served++;
  }

  /** Counts the end of an entry that has waited. */
  void ended() {
    inFlight--;
  }

  /** Counts a refused entry. */
  void refused() {
    refused++;
  }

  /** Returns the current state; {@code name} is the tenant's. */
  TenantState state(String name) {
    return new TenantState(
        name, weight, points.size(), ranges.size(), inFlight, served, workNanos, refused);
  }

  void add(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry));
    entry.tenant = number;
    entry.handle =
        line(entry).add(entry, keyInLine(entry), entry.query.sequence(), entry.pieceNumber);
  }

  void remove(QueueEntry entry) {
    line(entry).remove(entry.handle);
  }

  /** Moves a queued entry to its query's current place in the order. */
  void moveForward(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry));
    line(entry).decrease(entry.handle, keyInLine(entry));
  }

  /** Returns the first entry for which a slot is free; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    QueueEntry point = points.isEmpty() ? null : points.head();
    if (ranges.isEmpty() || !ledger.hasSlotFor(ranges.head().slotClass())) {
      return point;
    }
    QueueEntry range = ranges.head();
    return point == null || (!rule.pointsFirst() && precedes(range, point)) ? range : point;
  }

  /** Returns the first entry regardless of slots; null when nothing is queued. */
  @Nullable QueueEntry any() {
    RunQueue<QueueEntry> line = points.isEmpty() ? ranges : points;
    return line.isEmpty() ? null : line.head();
  }

  private static boolean precedes(QueueEntry a, QueueEntry b) {
    return a.key != b.key ? a.key < b.key : a.query.sequence() < b.query.sequence();
  }

  private long keyInLine(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? rule.keyAmongPoints(entry) : entry.key;
  }

  private RunQueue<QueueEntry> line(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? points : ranges;
  }
}
