package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's queue behind a lock that is held only briefly. Safe for any thread.
 *
 * <p>Lock order: the lock of {@link FleetSlots}; the scheduler's, under which nodes and settings
 * change; a node's; a table's; that of {@link CommonCosts}. A query's lock is taken inside none of
 * a node's. A thread never holds the locks of two nodes. An entry's {@code holder} is this one only
 * while a holder of this lock put it there. A comparison under the lock thus tells whether the
 * entry's other fields may be touched.
 *
 * <p>Calls out are made without the queue's lock, by one thread at a time. For one node they come
 * in the order of its decisions, and a call that submits or finishes something does not nest.
 */
final class LockedNodeQueue implements QueueEntry.Holder {

  /** Compares a node with the other replicas of an entry. Safe for any thread; takes no lock. */
  interface Elsewhere {

    /** Whether an available replica is preferred to {@code queue}. */
    boolean hasBetter(QueueEntry entry, LockedNodeQueue queue);

    /**
     * Whether another replica would finish an entry much sooner than {@code hereNanos} from now.
     */
    boolean isWorthLeaving(QueueEntry entry, LockedNodeQueue from, double hereNanos);
  }

  private final NodeId node;
  private final NanoClock clock;
  private final Elsewhere elsewhere;
  private final Consumer<QueueEntry> handOff;

  @GuardedBy("this")
  private final ReadyList ready = new ReadyList();

  @GuardedBy("this")
  private final NodeQueue queue;

  @GuardedBy("this")
  private boolean closed;

  private volatile NodeStanding standing = NodeStanding.NORMAL;

  // Published for threads that choose a replica without the lock.
  private volatile long backlogNanos;
  private volatile double rate;

  /**
   * Creates the queue of a node.
   *
   * @param handOff called without the lock for every entry that is started, refused or must move;
   *     the entry's state says which
   */
  LockedNodeQueue(
      NodeLimits limits,
      SchedulingConfig config,
      NodeCosts costs,
      NanoClock clock,
      Elsewhere elsewhere,
      Consumer<QueueEntry> handOff) {
    this.node = limits.node();
    this.clock = clock;
    this.elsewhere = elsewhere;
    this.handOff = handOff;
    this.queue =
        new NodeQueue(
            config,
            limits.concurrentReads(),
            costs,
            (entry, here) -> elsewhere.isWorthLeaving(entry, this, here),
            ready);
    this.rate = queue.rate();
  }

  @Override
  public NodeId node() {
    return node;
  }

  NodeStanding standing() {
    return standing;
  }

  @Override
  public long now() {
    return clock.nanoTime();
  }

  /** Returns when {@code workNanos} more would be done here, ns from now. */
  double doneAfterNanos(long workNanos) {
    return (backlogNanos + workNanos) / rate;
  }

  /**
   * Starts, queues or refuses an entry.
   *
   * @return false when the queue is closed, or has become worse than another replica since it was
   *     chosen, and the entry must go to another node
   */
  boolean offer(QueueEntry entry) {
    QueueEntry calls;
    synchronized (this) {
      if (closed || (standing != NodeStanding.NORMAL && elsewhere.hasBetter(entry, this))) {
        return false;
      }
      long now = clock.nanoTime();
      entry.holder = this;
      queue.accept(entry, now);
      calls = settle(now);
    }
    call(calls);
    return true;
  }

  @Override
  public boolean withdraw(QueueEntry entry, @Nullable Refusal refusal) {
    QueueEntry calls;
    synchronized (this) {
      if (!isQueuedHere(entry)) {
        return false;
      }
      long now = clock.nanoTime();
      queue.withdraw(entry, refusal, now);
      calls = settle(now);
    }
    call(calls);
    return true;
  }

  @Override
  public void moveForward(QueueEntry entry) {
    QueueEntry calls;
    synchronized (this) {
      if (!isQueuedHere(entry)) {
        return;
      }
      queue.entries().moveForward(entry);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  @Override
  public double answered(QueueEntry entry, long rows, long bytes) {
    QueueEntry calls;
    double work;
    synchronized (this) {
      long now = clock.nanoTime();
      work = queue.answered(entry, rows, bytes, now);
      calls = settle(now);
    }
    call(calls);
    return work;
  }

  @Override
  public void overloaded(QueueEntry entry) {
    QueueEntry calls;
    synchronized (this) {
      long now = clock.nanoTime();
      queue.overloaded(entry, now);
      calls = settle(now);
    }
    call(calls);
  }

  @Override
  public void abandoned(QueueEntry entry) {
    QueueEntry calls;
    synchronized (this) {
      queue.abandoned(entry);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** Changes the settings. */
  void change(SchedulingConfig config) {
    QueueEntry calls;
    synchronized (this) {
      long now = clock.nanoTime();
      queue.change(config, now);
      calls = settle(now);
    }
    call(calls);
  }

  /** Changes how many reads the node runs at once. */
  void concurrentReads(int concurrentReads) {
    QueueEntry calls;
    synchronized (this) {
      queue.slots().concurrentReads(concurrentReads);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** Changes what this proxy uses of the node's range slots. */
  void part(RangePart part) {
    QueueEntry calls;
    synchronized (this) {
      queue.slots().part(part);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /**
   * Changes how much the node is preferred. Queued entries with a better replica move there; the
   * others stay.
   *
   * @param witness receives all changes in their order, for which it is called under the lock
   */
  void standing(NodeStanding next, SchedulerWitness witness) {
    synchronized (this) {
      standing = next;
      witness.standing(node, next, clock.nanoTime());
    }
    leaveForBetter();
  }

  /** Moves the queued entries that have a better replica. */
  void leaveForBetter() {
    if (standing != NodeStanding.NORMAL) {
      evacuate(false);
    }
  }

  /** Closes the queue. It accepts no more entries, and all queued entries move. */
  void close() {
    evacuate(true);
  }

  /** Returns what range reads needed since the last call. See {@link NodeSlots#takeNeed}. */
  synchronized double takeNeed() {
    return queue.slots().takeNeed(clock.nanoTime());
  }

  /** Returns the current state. */
  synchronized NodeState state() {
    return queue.state(node, standing, clock.nanoTime());
  }

  /** Returns the tenants whose reads have waited or were refused here. */
  synchronized List<TenantState> tenants() {
    return queue.entries().tenants();
  }

  /** Predicts what would happen to an entry offered now. */
  synchronized Preview preview(QueueEntry entry) {
    return queue.preview(entry, node, clock.nanoTime());
  }

  private void evacuate(boolean everything) {
    QueueEntry calls;
    synchronized (this) {
      closed |= everything;
      long now = clock.nanoTime();
      queue.evacuate(entry -> everything || elsewhere.hasBetter(entry, this), now);
      calls = settle(now);
    }
    call(calls);
  }

  /** Starts all entries that may start, and returns the calls that this thread has to make. */
  @GuardedBy("this")
  private @Nullable QueueEntry settle(long now) {
    queue.dispatch(now);
    backlogNanos = queue.backlogNanos();
    rate = queue.rate();
    return ready.claim();
  }

  @GuardedBy("this")
  private boolean isQueuedHere(QueueEntry entry) {
    return entry.holder == this && entry.state == State.QUEUED;
  }

  private synchronized @Nullable QueueEntry moreCalls() {
    return ready.more();
  }

  /**
   * Makes the calls. A call that throws does not stop the others; the first failure is thrown at
   * the end.
   */
  private void call(@Nullable QueueEntry calls) {
    Throwable failure = null;
    QueueEntry entry = calls;
    while (entry != null) {
      QueueEntry next = entry.nextReady;
      entry.nextReady = null;
      try {
        handOff.accept(entry);
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
      entry = next != null ? next : moreCalls();
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
