package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node's queue, its slots and what was learned of it: what waits, what may start, who is
 * refused. What it decides stands in a {@link ReadyList} for its holder to call. Times are in ns,
 * {@code now} never falls. Not safe for threads.
 */
final class NodeQueue {
  /** With more in flight, an answer's time says more about the others than about its own cost. */
  private static final int UNCROWDED = 2;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** An empty answer is thought to take this part of the timeout at most. */
  private static final long LEAST_SHARE = 10;

  /** Looks at the demand's other replicas. */
  @FunctionalInterface
  interface Elsewhere {

    /** Whether a demand that would be done after {@code hereNanos} should rather go elsewhere. */
    boolean isBetter(Demand demand, double hereNanos);
  }

  private final SchedulingConfig config;
  private final Elsewhere elsewhere;
  private final ReadyList ready;
  private final AdmissionRule admission;
  private final FairQueue queue;
  private final PermitLedger ledger;
  private final RangeLimiter window;
  private final NodeRate rate;
  private final NodeCosts costs;
  private final ClassStats points = new ClassStats();
  private final ClassStats ranges = new ClassStats();

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
    int slots = slots(concurrentReads);
    this.window = window(config, mostRanges(slots));
    this.ledger = new PermitLedger(slots, rangeSlots(slots));
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
  void accept(Demand demand, long now) {
    demand.workNanos = costs.estimateNanos(demand);
    Refusal refusal = admissionRefusal(demand, now);
    if (refusal != null) {
      stats(demand).shed();
      refuse(demand, refusal);
      return;
    }
    demand.query().admit();
    boolean straight = queue.isEmpty() && ledger.hasSlotFor(priorityClass(demand));
    if (config.mode() != Mode.ENFORCE || (straight && !isTooLate(demand, now))) {
      start(demand, now);
    } else {
      enqueue(demand, now);
    }
  }

  /**
   * Starts everything that may start. At most one moves each time: the next would not see the load
   * that the first brings to its new node.
   */
  void dispatch(long now) {
    ledger.limits(ledger.slots(), rangeSlots(ledger.slots()));
    boolean oneMoves = false;
    Demand next = nextThatMayGo();
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
        queue.go(next);
        stats(next).leave(next, now);
        start(next, now);
      }
      next = nextThatMayGo();
    }
    if (queue.isEmpty()) {
      rate.nothingWaits();
    }
  }

  /** Takes out a queued demand for good; with a refusal it is told so. */
  void withdraw(Demand demand, @Nullable Refusal refusal, long now) {
    unqueue(demand, now);
    demand.state = State.ENDED;
    stats(demand).cancel();
    if (refusal != null) {
      refuse(demand, refusal);
    }
  }

  /** Moves a queued demand to where its query stands now. */
  void moveForward(Demand demand) {
    queue.moveForward(demand);
  }

  /** Takes out everything that may leave, for other nodes. */
  void evacuate(Predicate<Demand> mayLeave, long now) {
    List<Demand> staying = new ArrayList<>();
    for (Demand next = queue.head(true); next != null; next = queue.head(true)) {
      unqueue(next, now);
      if (mayLeave.test(next)) {
        move(next);
      } else {
        staying.add(next);
      }
    }
    staying.forEach(demand -> enqueue(demand, now));
  }

  /** See {@link Permit#finish}. */
  void answered(Demand demand, long rows, long bytes, long now) {
    end(demand);
    if (config.mode() == Mode.PASSTHROUGH) {
      return;
    }
    long took = demand.tookNanos(now);
    double middling = costs.middlingNanos(demand);
    double work = costs.answered(demand, rows, bytes, took);
    window.restate(middling / costs.middlingNanos(demand));
    rate.answered(relief(demand), took, ledger.rangeSlots(), !queue.isEmpty(), now);
    queue.settle(demand, work);
    if (priorityClass(demand) == PriorityClass.RANGE) {
      window.sample(took / work, demand.sawFull, demand.startedNanos, now);
    }
  }

  /**
   * How much less there is to do, in the unit that the backlog is counted in: the work as it was
   * estimated when it was queued, also of those that were read together with it. What the answer
   * turned out to be would be another unit, and the one over the other no time.
   */
  private static double relief(Demand demand) {
    return (double) (demand.workNanos + demand.relievedNanos);
  }

  /** See {@link Permit#finishOverloaded}. */
  void overloaded(Demand demand, long now) {
    end(demand);
    stats(demand).overload();
    window.backOff(demand.startedNanos, now);
  }

  /** See {@link Permit#finishAbandoned}. */
  void abandoned(Demand demand) {
    end(demand);
  }

  /** Changes how many reads the node runs at once. */
  void concurrentReads(int concurrentReads) {
    int slots = slots(concurrentReads);
    if (config.rangeSlots() == 0) {
      window.max(mostRanges(slots));
    }
    ledger.limits(slots, rangeSlots(slots));
  }

  /** The state now. */
  NodeState state(NodeId node, boolean suspect, long now) {
    return new NodeState(
        node,
        suspect,
        ledger.slots(),
        ledger.rangeSlots(),
        backlogNanos() / rate.value() / NodeCosts.NANOS_PER_MICRO,
        rate.value(),
        points.state(now),
        ranges.state(now));
  }

  private @Nullable Refusal admissionRefusal(Demand demand, long now) {
    if (config.mode() != Mode.ENFORCE || demand.query().admitted()) {
      return null;
    }
    return isPoint(demand)
        ? admission.point(points, ledger, now)
        : admission.range(ranges, ledger, now);
  }

  private @Nullable Demand nextThatMayGo() {
    return ledger.hasSlot() ? queue.head(ledger.hasRangeSlot()) : null;
  }

  private void enqueue(Demand demand, long now) {
    queue.add(demand);
    demand.state = State.QUEUED;
    stats(demand).enter(demand, now);
  }

  private void unqueue(Demand demand, long now) {
    queue.remove(demand);
    stats(demand).leave(demand, now);
  }

  private void start(Demand demand, long now) {
    ledger.take(priorityClass(demand));
    stats(demand).start(demand, now);
    demand.state = State.STARTED;
    demand.startedNanos = now;
    demand.uncrowded = ledger.held() <= UNCROWDED;
    demand.sawFull = ranges.queued() > 0 && ledger.held(PriorityClass.RANGE) >= ledger.rangeSlots();
    ready.add(demand);
  }

  private void end(Demand demand) {
    if (demand.state != State.STARTED) {
      throw new IllegalStateException("a permit ends once; this one is " + demand.state);
    }
    demand.state = State.ENDED;
    ledger.release(priorityClass(demand));
    stats(demand).end(demand.workNanos);
  }

  private void refuse(Demand demand, Refusal refusal) {
    demand.state = State.ENDED;
    demand.refusal = refusal;
    ready.add(demand);
  }

  private void move(Demand demand) {
    demand.state = State.MOVING;
    demand.gate = null;
    demand.moved = true;
    stats(demand).move();
    ready.add(demand);
  }

  /**
   * Not even an empty answer could come in time. What it costs is an estimate, which may not refuse
   * a read that still has most of its time.
   */
  private boolean isTooLate(Demand demand, long now) {
    Duration timeout = isPoint(demand) ? config.readTimeout() : config.rangeTimeout();
    long least = Math.min(costs.leastNanos(demand), timeout.toNanos() / LEAST_SHARE);
    return demand.query().deadlineNanos() - now <= least;
  }

  private static Refusal tooLate(Demand demand, long now) {
    long waited = (now - demand.query().arrivalNanos()) / NANOS_PER_MILLI;
    return new Refusal(
        Refusal.Reason.DEADLINE,
        "The read waited "
            + waited
            + " ms for its turn and cannot be answered within its timeout any more;"
            + " send fewer at once or allow more time");
  }

  /** Only what has waited is looked at again; the others' replica was chosen just now. */
  private boolean isBetterOffElsewhere(Demand demand, long now) {
    return !demand.moved
        && demand.queuedNanos != now
        && elsewhere.isBetter(demand, (inFlightNanos() + demand.workNanos) / rate.value());
  }

  private long inFlightNanos() {
    return points.inFlightNanos() + ranges.inFlightNanos();
  }

  private ClassStats stats(Demand demand) {
    return isPoint(demand) ? points : ranges;
  }

  private static boolean isPoint(Demand demand) {
    return priorityClass(demand) == PriorityClass.POINT;
  }

  private int slots(int concurrentReads) {
    return config.concurrentReads() > 0 ? config.concurrentReads() : concurrentReads;
  }

  private int rangeSlots(int slots) {
    return Math.min(window.slots(), mostRanges(slots));
  }

  /** All slots but one, which is left to point reads; all if that is one, or points have none. */
  private int mostRanges(int slots) {
    return config.pointPriority() ? Math.max(1, slots - 1) : slots;
  }

  private static PriorityClass priorityClass(Demand demand) {
    return demand.query().priorityClass();
  }

  /** With a fixed number of range slots there is nothing to search between. */
  private static RangeLimiter window(SchedulingConfig config, int slots) {
    int fixed = config.rangeSlots();
    return fixed > 0
        ? new RangeLimiter(fixed, fixed, fixed)
        : new RangeLimiter(config.rangeSlotsStart(), config.rangeSlotsMin(), slots);
  }
}
