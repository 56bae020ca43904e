package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries queued and in flight at one node: their order, the slots they take, the counters, and
 * the calls that their changes of state require. Each method takes one entry from one state to the
 * next in all of these. Times are in ns. Not safe for several threads.
 */
final class NodeEntries {
  /** With more in flight, a read's duration says more about the others than about its own cost. */
  private static final int UNCROWDED = 2;

  private final FairQueue queue;
  private final NodeSlots slots;
  private final PermitLedger ledger;
  private final ReadyList ready;
  private final NodeStats stats = new NodeStats();

  /**
   * Creates an empty set.
   *
   * @param ready receives the entries that are started, refused or must move
   */
  NodeEntries(FairQueue queue, NodeSlots slots, ReadyList ready) {
    this.queue = queue;
    this.slots = slots;
    this.ledger = slots.ledger();
    this.ready = ready;
  }

  NodeStats stats() {
    return stats;
  }

  /**
   * Whether the tenant of an entry that is not queued has at least an equal part of the entries
   * that wait as that one would.
   */
  boolean hasEqualPart(QueueEntry entry) {
    return stats.waits(entry).hasEqualPart(queue.tenantOf(entry));
  }

  /** Whether no entry is queued. */
  boolean noneQueued() {
    return queue.isEmpty();
  }

  /** Returns any queued entry; null when none is queued. */
  @Nullable QueueEntry anyQueued() {
    return queue.any();
  }

  /** Returns the queued entry that is next and for which a slot is free; null without one. */
  @Nullable QueueEntry nextStartable() {
    return ledger.hasSlot() ? queue.head(ledger) : null;
  }

  /** Returns the tenants whose entries have waited or were refused. */
  List<TenantState> tenants() {
    return queue.states();
  }

  /** Puts the queued entries in a new order. */
  void reorder(OrderingPolicy order, Map<String, Double> weights) {
    queue.change(order, weights);
  }

  /** Moves a queued entry to its query's current place in the order. */
  void moveForward(QueueEntry entry) {
    queue.moveForward(entry);
  }

  /** Queues an entry. */
  void enqueue(QueueEntry entry, long now) {
    queue.add(entry);
    ledger.addWaiting(entry.slotClass());
    entry.state = State.QUEUED;
    stats.enter(entry, now);
  }

  /** Removes a queued entry. Another call must say what becomes of it. */
  void remove(QueueEntry entry, long now) {
    leave(entry, now);
    queue.remove(entry);
  }

  /** Starts a queued entry. */
  void startQueued(QueueEntry entry, long now) {
    leave(entry, now);
    queue.start(entry);
    start(entry, now);
  }

  private void leave(QueueEntry entry, long now) {
    ledger.removeWaiting(entry.slotClass());
    stats.leave(entry, now);
  }

  /** Starts an entry that is not queued. */
  void start(QueueEntry entry, long now) {
    ledger.take(entry.slotClass());
    stats.start(entry, now);
    entry.state = State.STARTED;
    entry.startedNanos = now;
    entry.uncrowded = ledger.held() <= UNCROWDED;
    entry.limitReached = slots.isLimitReached();
    entry.beyondLimit = ledger.isBeyondRangeSlots();
    ready.add(entry);
  }

  /** Ends an entry in flight. */
  void end(QueueEntry entry) {
    if (entry.state != State.STARTED) {
      throw new IllegalStateException("a permit ends once; this one is " + entry.state);
    }
    entry.state = State.ENDED;
    ledger.release(entry.slotClass());
    stats.of(entry).load().end(entry);
    queue.ended(entry);
  }

  /** Charges the tenant of an entry that has ended for the actual work instead of the estimate. */
  void settle(QueueEntry entry, double workNanos) {
    queue.settle(entry, workNanos);
  }

  /** Ends an entry that is neither queued nor in flight, with a refusal. */
  void refuse(QueueEntry entry, Refusal refusal) {
    entry.state = State.ENDED;
    entry.refusal = refusal;
    queue.refused(entry);
    ready.add(entry);
  }

  /** Lets go of an entry that is neither queued nor in flight, so that it finds another node. */
  void move(QueueEntry entry) {
    entry.state = State.MOVING;
    entry.holder = null;
    entry.moved = true;
    stats.of(entry).move();
    ready.add(entry);
  }
}
