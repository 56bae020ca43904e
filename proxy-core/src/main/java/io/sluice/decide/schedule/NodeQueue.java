package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node's queue, its slots and what was learned of it: what waits, what may start, what is
 * refused. What it decides stands in a {@link ReadyList} for its holder to call. Times are in ns,
 * {@code now} never falls. Not safe for several threads.
 */
final class NodeQueue {
  /** With more in flight, an answer's time says more about the others than about its own cost. */
  private static final int UNCROWDED = 2;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** An empty answer is thought to take this part of the timeout at most. */
  private static final long LEAST_SHARE = 10;

  /** Looks at the entry's other replicas. */
  @FunctionalInterface
  interface Elsewhere {

    /** Whether an entry that would be done after {@code hereNanos} should rather go elsewhere. */
    boolean isBetter(QueueEntry entry, double hereNanos);
  }

  private SchedulingConfig config;
  private final Elsewhere elsewhere;
  private final ReadyList ready;
  private AdmissionRule admission;
  private final FairQueue queue;
  private final PermitLedger ledger;
  private RangeLimiter window;
  private int nodeReads;

  /** Proxies that share the range slots. */
  private int proxies = 1;

  private final NodeRate rate;
  private final NodeCosts costs;
  private final ClassStats points = new ClassStats();
  private final ClassStats ranges = new ClassStats();
  private final WaitBehindRanges behindRanges = new WaitBehindRanges();

  /**
   * An empty queue.
   *
   * @param concurrentReads reads that the node says it runs at once
   * @param costs the costs of reads at the node
   */
  NodeQueue(
      SchedulingConfig config,
      int concurrentReads,
      NodeCosts costs,
      Elsewhere elsewhere,
      ReadyList ready) {
    this.config = config;
    this.costs = costs;
    this.elsewhere = elsewhere;
    this.ready = ready;
    this.admission = new AdmissionRule(config);
    this.queue = new FairQueue(new OrderingPolicy(config), config.tenantWeights());
    this.nodeReads = concurrentReads;
    int slots = slots();
    this.window = window(config, mostRanges(slots));
    this.ledger = new PermitLedger(slots, rangeSlots(slots), rangeShare());
    this.rate = new NodeRate(ledger.rangeSlots());
  }

  /** Work queued and in flight, ns of an uncrowded node's time. */
  long backlogNanos() {
    return points.queuedNanos() + ranges.queuedNanos() + inFlightNanos();
  }

  /** Work done per time when busy. */
  double rate() {
    return rate.value();
  }

  /** Starts, queues or refuses. Another call must be {@link #dispatch}. */
  void accept(QueueEntry entry, long now) {
    costs.expect(entry);
    Refusal refusal = admissionRefusal(entry, now);
    if (refusal != null) {
      stats(entry).shed();
      refuse(entry, refusal);
      return;
    }
    entry.query.admit();
    boolean straight = queue.isEmpty() && ledger.hasSlotFor(entry.slotClass());
    if (config.mode() != Mode.ENFORCE || (straight && !isTooLate(entry, now))) {
      start(entry, now);
    } else {
      enqueue(entry, now);
    }
  }

  /**
   * Starts everything that may start. At most one moves each time: the next would not see the load
   * that the first brings to its new node.
   */
  void dispatch(long now) {
    ledger.limits(ledger.slots(), rangeSlots(ledger.slots()));
    boolean oneMoves = false;
    QueueEntry next = nextThatMayGo();
    while (next != null) {
      if (isTooLate(next, now)) {
        unqueue(next, now);
        stats(next).expire();
        refuse(next, tooLate(next, now));
      } else if (!oneMoves && isBetterOffElsewhere(next, now)) {
        oneMoves = true;
        unqueue(next, now);
        move(next);
      } else {
        go(next, now);
      }
      next = nextThatMayGo();
    }
    if (queue.isEmpty()) {
      rate.nothingWaits();
    }
    behindRanges.change(points.queued(), points.inFlight(), ranges.inFlight(), ledger.slots(), now);
  }

  /** Takes out a queued entry for good; refuses it if a refusal is given. */
  void withdraw(QueueEntry entry, @Nullable Refusal refusal, long now) {
    unqueue(entry, now);
    entry.state = State.ENDED;
    stats(entry).cancel();
    if (refusal != null) {
      refuse(entry, refusal);
    }
  }

  /** Moves a queued entry to where its query stands now. */
  void moveForward(QueueEntry entry) {
    queue.moveForward(entry);
  }

  /** Takes out everything that may leave, for other nodes. */
  void evacuate(Predicate<QueueEntry> mayLeave, long now) {
    List<QueueEntry> staying = new ArrayList<>();
    for (QueueEntry next = queue.any(); next != null; next = queue.any()) {
      unqueue(next, now);
      if (mayLeave.test(next)) {
        move(next);
      } else {
        staying.add(next);
      }
    }
    staying.forEach(entry -> enqueue(entry, now));
  }

  /** See {@link QueueEntry.Gate#answered}. */
  double answered(QueueEntry entry, long rows, long bytes, long now) {
    end(entry);
    if (config.mode() == Mode.PASSTHROUGH) {
      return Double.NaN;
    }
    long took = entry.tookNanos(now);
    double work = costs.answered(entry, rows, bytes, took);
    entry.doneNanos = work;
    stats(entry).answered(relief(entry), work);
    window.restate(costs.restatement());
    rate.answered(relief(entry), took, ledger.rangeSlots(), !queue.isEmpty(), now);
    queue.settle(entry, work);
    if (!entry.isPoint() && !entry.beyondLimit) {
      double size = costs.pointReads(entry, work);
      window.sample(took / work, size, entry.sawFull, entry.startedNanos, now);
    }
    return work;
  }

  /**
   * How much less there is to do, in the unit that the backlog is counted in: the work as it was
   * estimated when it was queued, also of those that were read together with it. What the answer
   * turned out to be would be another unit, and the one over the other no time.
   */
  private static double relief(QueueEntry entry) {
    return (double) (entry.workNanos + entry.relievedNanos);
  }

  /** See {@link Permit#finishOverloaded}. */
  void overloaded(QueueEntry entry, long now) {
    end(entry);
    stats(entry).overload();
    window.backOff(entry.startedNanos, now);
  }

  /** See {@link Permit#finishAbandoned}. */
  void abandoned(QueueEntry entry) {
    end(entry);
  }

  /** Changes how many reads the node runs at once. */
  void concurrentReads(int concurrentReads) {
    nodeReads = concurrentReads;
    applySlots();
  }

  /** Changes how many proxies share the range slots. Another call must be {@link #dispatch}. */
  void proxies(int sharing) {
    proxies = sharing;
    applySlots();
  }

  private void applySlots() {
    int slots = slots();
    if (config.rangeSlots() == 0) {
      window.max(mostRanges(slots));
    }
    ledger.limits(slots, rangeSlots(slots));
  }

  /**
   * Changes the settings. Another call must be {@link #dispatch}. What is in flight may be more
   * than the slots then; nothing starts until it is less.
   */
  void change(SchedulingConfig next, long now) {
    boolean searches = searchesAnew(config, next);
    config = next;
    admission = new AdmissionRule(next);
    if (searches) {
      window = window(next, mostRanges(slots()));
      window.begin(now);
    }
    applySlots();
    ledger.rangeShare(rangeShare());
    queue.change(new OrderingPolicy(next), next.tenantWeights());
    if (next.mode() != Mode.ENFORCE) {
      startAll(now);
    }
  }

  /** What was measured while nothing was held back is not how slow a node is that is spared. */
  private static boolean searchesAnew(SchedulingConfig before, SchedulingConfig next) {
    boolean starts = next.mode() == Mode.ENFORCE && before.mode() != Mode.ENFORCE;
    return starts
        || next.rangeSlots() != before.rangeSlots()
        || next.rangeSlotsStart() != before.rangeSlotsStart()
        || next.rangeSlotsMin() != before.rangeSlotsMin();
  }

  private void startAll(long now) {
    for (QueueEntry next = queue.any(); next != null; next = queue.any()) {
      go(next, now);
    }
  }

  private void go(QueueEntry next, long now) {
    queue.go(next);
    ledger.waitsNoMore(next.slotClass());
    stats(next).leave(next, now);
    start(next, now);
  }

  /** The state now. */
  NodeState state(NodeId node, NodeStanding standing, long now) {
    return new NodeState(
        node,
        standing,
        ledger.slots(),
        ledger.rangeSlots(),
        backlogNanos() / rate.value() / NodeCosts.NANOS_PER_MICRO,
        rate.value(),
        behindRanges.nanos(now),
        points.state(now),
        ranges.state(now));
  }

  /** The tenants that have waited here, or were refused. */
  List<TenantState> tenants() {
    return queue.states();
  }

  /** The fate of an entry that were accepted now. Changes nothing. */
  Preview preview(QueueEntry entry, NodeId node, long now) {
    boolean starts =
        config.mode() != Mode.ENFORCE
            || (stats(entry).queued() == 0 && ledger.hasSlotFor(entry.slotClass()));
    return new Preview(
        node,
        config.mode(),
        costs.predictNanos(entry) / NodeCosts.NANOS_PER_MICRO,
        entry.slotClass() == SlotClass.RANGE,
        starts,
        starts ? 0 : (long) stats(entry).expectedWaitNanos(now),
        admissionRefusal(entry, now));
  }

  private @Nullable Refusal admissionRefusal(QueueEntry entry, long now) {
    if (config.mode() != Mode.ENFORCE || entry.query.admitted()) {
      return null;
    }
    return entry.isPoint()
        ? admission.point(points, entry.slotClass(), ledger, now)
        : admission.range(ranges, entry.slotClass(), ledger, now);
  }

  private @Nullable QueueEntry nextThatMayGo() {
    return ledger.hasSlot() ? queue.head(ledger) : null;
  }

  private void enqueue(QueueEntry entry, long now) {
    queue.add(entry);
    ledger.waits(entry.slotClass());
    entry.state = State.QUEUED;
    stats(entry).enter(entry, now);
  }

  private void unqueue(QueueEntry entry, long now) {
    queue.remove(entry);
    ledger.waitsNoMore(entry.slotClass());
    stats(entry).leave(entry, now);
  }

  private void start(QueueEntry entry, long now) {
    ledger.take(entry.slotClass());
    stats(entry).start(entry, now);
    entry.state = State.STARTED;
    entry.startedNanos = now;
    entry.uncrowded = ledger.held() <= UNCROWDED;
    entry.sawFull = proxies == 1 && ledger.holdsBack();
    entry.beyondLimit = ledger.isBeyondRangeSlots();
    ready.add(entry);
  }

  private void end(QueueEntry entry) {
    if (entry.state != State.STARTED) {
      throw new IllegalStateException("a permit ends once; this one is " + entry.state);
    }
    entry.state = State.ENDED;
    ledger.release(entry.slotClass());
    stats(entry).end(entry.workNanos);
    queue.ended(entry);
  }

  private void refuse(QueueEntry entry, Refusal refusal) {
    entry.state = State.ENDED;
    entry.refusal = refusal;
    queue.refused(entry);
    ready.add(entry);
  }

  private void move(QueueEntry entry) {
    entry.state = State.MOVING;
    entry.gate = null;
    entry.moved = true;
    stats(entry).move();
    ready.add(entry);
  }

  /**
   * Not even an empty answer could come in time. What it costs is an estimate, which may not refuse
   * a read that still has most of its time.
   */
  private boolean isTooLate(QueueEntry entry, long now) {
    Duration timeout = config.timeout(entry.query.priorityClass());
    long least = Math.min(costs.leastNanos(entry), timeout.toNanos() / LEAST_SHARE);
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

  /** Only what has waited is looked at again; the others' replica was chosen just now. */
  private boolean isBetterOffElsewhere(QueueEntry entry, long now) {
    return !entry.moved
        && entry.queuedNanos != now
        && elsewhere.isBetter(entry, (inFlightNanos() + entry.workNanos) / rate.value());
  }

  private long inFlightNanos() {
    return points.inFlightNanos() + ranges.inFlightNanos();
  }

  private ClassStats stats(QueueEntry entry) {
    return entry.isPoint() ? points : ranges;
  }

  private int slots() {
    return config.concurrentReads() > 0 ? config.concurrentReads() : nodeReads;
  }

  private int rangeSlots(int slots) {
    return Math.max(1, Math.min(window.slots(), mostRanges(slots)) / proxies);
  }

  /** All slots but one, which is left to point reads; all if that is one, or points have none. */
  private int mostRanges(int slots) {
    return config.pointPriority() ? Math.max(1, slots - 1) : slots;
  }

  /** A fixed number of range slots is what the operator wants, and no more. */
  private double rangeShare() {
    return config.pointPriority() && config.rangeSlots() == 0 ? config.rangeShare() : 0;
  }

  /** With a fixed number of range slots there is nothing to search between. */
  private static RangeLimiter window(SchedulingConfig config, int slots) {
    int fixed = config.rangeSlots();
    return fixed > 0
        ? new RangeLimiter(fixed, fixed, fixed)
        : new RangeLimiter(config.rangeSlotsStart(), config.rangeSlotsMin(), slots);
  }
}
