package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one node with its slots and learned costs: it decides which entries wait, start, or
 * are refused. It puts its decisions in a {@link ReadyList}, whose holder makes the calls. Times
 * are in ns, {@code now} never decreases. Not safe for several threads.
 */
final class NodeQueue {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Divisor of the timeout: an empty answer is assumed to take at most this part. */
  private static final long MIN_SHARE = 10;

  /** Compares this node with the entry's other replicas. */
  @FunctionalInterface
  interface BetterReplica {

    /** Whether an entry that would be done here after {@code hereNanos} should move. */
    boolean isBetter(QueueEntry entry, double hereNanos);
  }

  private SchedulingConfig config;
  private final BetterReplica better;
  private AdmissionRule admission;
  private final NodeEntries entries;
  private final NodeSlots slots;
  private final PermitLedger ledger;
  private final NodeRate rate;
  private final NodeCosts costs;
  private final NodeStats stats;

  /**
   * Creates an empty queue.
   *
   * @param concurrentReads reads that the node reports to run at once
   * @param costs the costs of reads at the node
   */
  NodeQueue(
      SchedulingConfig config,
      int concurrentReads,
      NodeCosts costs,
      BetterReplica better,
      ReadyList ready) {
    this.config = config;
    this.costs = costs;
    this.better = better;
    this.admission = new AdmissionRule(config);
    this.slots = new NodeSlots(config, concurrentReads);
    this.ledger = slots.ledger();
    FairQueue queue = new FairQueue(new OrderingPolicy(config), config.tenantWeights());
    this.entries = new NodeEntries(queue, slots, ready);
    this.stats = entries.stats();
    this.rate = new NodeRate(ledger.rangeSlots());
  }

  /** Returns the work queued and in flight, ns of an uncrowded node's time. */
  long backlogNanos() {
    return stats.backlogNanos();
  }

  /** Returns the work that the busy node does per unit of time. */
  double rate() {
    return rate.value();
  }

  /** Returns the numbers of slots. The caller must call {@link #dispatch} after a change. */
  NodeSlots slots() {
    return slots;
  }

  /** Returns the queued entries and those in flight. */
  NodeEntries entries() {
    return entries;
  }

  /** Starts, queues or refuses an entry. The caller must call {@link #dispatch} next. */
  void accept(QueueEntry entry, long now) {
    costs.expect(entry);
    Refusal refusal = admissionRefusal(entry, now);
    if (refusal != null) {
      stats.of(entry).shed();
      entries.refuse(entry, refusal);
      return;
    }
    entry.query.admit();
    boolean startsAtOnce = entries.noneQueued() && ledger.hasSlotFor(entry.slotClass());
    if (config.mode() != Mode.ENFORCE || (startsAtOnce && !isTooLate(entry, now))) {
      entries.start(entry, now);
    } else {
      entries.enqueue(entry, now);
    }
  }

  /**
   * Starts all entries that may start. Each call moves at most one entry: a second one would not
   * see the load that the first adds to its new node.
   */
  void dispatch(long now) {
    slots.refresh(now);
    boolean moved = false;
    QueueEntry next = entries.nextStartable();
    while (next != null) {
      if (isTooLate(next, now)) {
        entries.remove(next, now);
        stats.of(next).expire();
        entries.refuse(next, tooLate(next, now));
      } else if (!moved && isBetterOffElsewhere(next, now)) {
        moved = true;
        entries.remove(next, now);
        entries.move(next);
      } else {
        entries.startQueued(next, now);
      }
      next = entries.nextStartable();
    }
    if (entries.noneQueued()) {
      rate.onQueueEmpty();
    }
    stats.changed(ledger.slots(), now);
  }

  /** Removes a queued entry for good, and refuses it if a refusal is given. */
  void withdraw(QueueEntry entry, @Nullable Refusal refusal, long now) {
    entries.remove(entry, now);
    entry.state = State.ENDED;
    stats.of(entry).cancel();
    if (refusal != null) {
      entries.refuse(entry, refusal);
    }
  }

  /** Moves all entries that may leave to other nodes. */
  void evacuate(Predicate<QueueEntry> mayLeave, long now) {
    List<QueueEntry> staying = new ArrayList<>();
    for (QueueEntry next = entries.anyQueued(); next != null; next = entries.anyQueued()) {
      entries.remove(next, now);
      if (mayLeave.test(next)) {
        entries.move(next);
      } else {
        staying.add(next);
      }
    }
    staying.forEach(entry -> entries.enqueue(entry, now));
  }

  /** See {@link QueueEntry.Holder#answered}. */
  double answered(QueueEntry entry, long rows, long bytes, long now) {
    entries.end(entry);
    if (config.mode() == Mode.PASSTHROUGH) {
      return Double.NaN;
    }
    long took = entry.tookNanos(now);
    double work = costs.answered(entry, rows, bytes, took);
    entry.doneNanos = work;
    stats.of(entry).answered(relief(entry), work);
    slots.restate(costs.restatement());
    rate.answered(relief(entry), took, ledger.rangeSlots(), !entries.noneQueued(), now);
    entries.settle(entry, work);
    learnLimit(entry, took, work, now);
    return work;
  }

  /**
   * Learns how fast the node answers range reads. Point reads are no samples, although large ones
   * take the same slots: a node reads many partitions at another speed than a range, so their
   * mixture would look like a change of the node.
   */
  private void learnLimit(QueueEntry entry, long took, double work, long now) {
    if (entry.isPoint()) {
      if (entry.slotClass() == SlotClass.RANGE) {
        slots.unmeasured(entry, now);
      }
    } else if (entry.beyondLimit) {
      slots.beyond(took / work, entry, now);
    } else {
      slots.sample(took / work, costs.pointReads(entry, work), entry, now);
    }
  }

  /**
   * Returns by how much the backlog falls: the work that was estimated when the entry was queued,
   * including entries read together with it. The backlog is counted in the same estimates. The work
   * of the answer would be another unit, and backlog over rate would not be a time.
   */
  private static double relief(QueueEntry entry) {
    return (double) (entry.workNanos + entry.relievedNanos);
  }

  /** See {@link Permit#finishOverloaded}. */
  void overloaded(QueueEntry entry, long now) {
    entries.end(entry);
    stats.of(entry).overload();
    slots.backOff(entry, now);
  }

  /** See {@link Permit#finishAbandoned}. */
  void abandoned(QueueEntry entry) {
    entries.end(entry);
  }

  /**
   * Changes the settings. The caller must call {@link #dispatch} next. If more reads are in flight
   * than there are slots now, nothing starts until fewer are.
   */
  void change(SchedulingConfig next, long now) {
    config = next;
    admission = new AdmissionRule(next);
    slots.change(next, now);
    entries.reorder(new OrderingPolicy(next), next.tenantWeights());
    if (next.mode() != Mode.ENFORCE) {
      startAll(now);
    }
  }

  private void startAll(long now) {
    for (QueueEntry next = entries.anyQueued(); next != null; next = entries.anyQueued()) {
      entries.startQueued(next, now);
    }
  }

  /** Returns the current state. */
  NodeState state(NodeId node, NodeStanding standing, long now) {
    return new NodeState(
        node,
        standing,
        ledger.slots(),
        ledger.rangeSlots(),
        backlogNanos() / rate.value() / CostModel.NANOS_PER_MICRO,
        rate.value(),
        stats.behindRangesNanos(now),
        stats.state(PriorityClass.POINT, now),
        stats.state(PriorityClass.RANGE, now));
  }

  /** Predicts what would happen to an entry accepted now. Changes nothing. */
  Preview preview(QueueEntry entry, NodeId node, long now) {
    boolean starts =
        config.mode() != Mode.ENFORCE
            || (stats.waits(entry).queued() == 0 && ledger.hasSlotFor(entry.slotClass()));
    return new Preview(
        node,
        config.mode(),
        costs.predictNanos(entry) / CostModel.NANOS_PER_MICRO,
        entry.slotClass() == SlotClass.RANGE,
        starts,
        starts ? 0 : (long) stats.waits(entry).expectedWaitNanos(now),
        admissionRefusal(entry, now));
  }

  private @Nullable Refusal admissionRefusal(QueueEntry entry, long now) {
    if (config.mode() != Mode.ENFORCE || entry.query.admitted()) {
      return null;
    }
    return admission.refusal(entry, entries, ledger, now);
  }

  /**
   * Whether not even an empty answer could arrive before the deadline. The cost of that answer is
   * an estimate, which may not refuse a read that still has most of its time.
   */
  private boolean isTooLate(QueueEntry entry, long now) {
    Duration timeout = config.timeout(entry.query.priorityClass());
    long least = Math.min(costs.leastNanos(entry), timeout.toNanos() / MIN_SHARE);
    return entry.query.deadlineNanos() - now <= least;
  }

  private static Refusal tooLate(QueueEntry entry, long now) {
    long waited = (now - entry.query.arrivalNanos()) / NANOS_PER_MILLI;
    return new Refusal(
        Refusal.Reason.DEADLINE,
        "The read waited "
            + waited
            + " ms for its turn and cannot be answered within its timeout any more;"
            + " send fewer at once or allow more time");
  }

  /** Whether an entry that has waited would be done much sooner at another replica. */
  private boolean isBetterOffElsewhere(QueueEntry entry, long now) {
    return !entry.moved
        && entry.submittedNanos != now
        && better.isBetter(entry, (stats.inFlightNanos() + entry.workNanos) / rate.value());
  }
}
