package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;

/**
 * The queue of one tenant at one node. Each slot class has its own line, because the classes have
 * separate limits. Not safe for several threads.
 */
final class TenantQueue {
  private final int number;
  private OrderingPolicy rule;
  private double weight;
  private final TenantLine points;
  private final TenantLine ranges;

  /** The work used at the node over the weight, in both lines, on the node's virtual clock. */
  private double used;

  private int inFlight;
  private long served;
  private double workNanos;
  private long refused;

  /**
   * Creates an empty queue.
   *
   * @param number the number that entries refer to the tenant by
   * @param points the tenant's part of the line of point reads
   * @param ranges the same of range reads
   */
  TenantQueue(
      int number, OrderingPolicy rule, double weight, TenantLine points, TenantLine ranges) {
    this.number = number;
    this.points = points;
    this.ranges = ranges;
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

  /** Whether no entry is queued or in flight after a wait. */
  boolean isIdle() {
    return points.size() + ranges.size() == 0 && inFlight == 0;
  }

  double used() {
    return used;
  }

  /**
   * Starts from the node's clock, or later if more is used, and returns the clock then. So nothing
   * is saved up while no entry can start.
   */
  double advance(QueueEntry entry, double virtualNow) {
    line(entry).advance();
    used = Math.max(used, virtualNow);
    return used;
  }

  /** Advances the clocks of lines in which no entry waits. */
  void advanceIdle() {
    points.advanceIdle();
    ranges.advanceIdle();
  }

  /** Whether the next entry would start from the clocks. */
  boolean isLevel(double virtualNow) {
    return used <= virtualNow && points.isLevel() && ranges.isLevel();
  }

  /** Charges work of an entry; negative to refund. */
  void charge(QueueEntry entry, double workNanos) {
    line(entry).charge(workNanos / weight);
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
    line(entry).add(entry, keyInLine(entry));
  }

  void remove(QueueEntry entry) {
    line(entry).remove(entry);
  }

  /** Moves a queued entry to its query's current place in the order. */
  void moveForward(QueueEntry entry) {
    entry.key = Math.min(entry.key, rule.key(entry));
    line(entry).decrease(entry, keyInLine(entry));
  }

  private long keyInLine(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? rule.keyAmongPoints(entry) : entry.key;
  }

  private TenantLine line(QueueEntry entry) {
    return rule.waitsAsPoint(entry.query) ? points : ranges;
  }
}
