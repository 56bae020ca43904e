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
 * The short lock around one node's queue. Safe for any thread.
 *
 * <p>Lock order: a query's lock, alone; a gate's lock, and inside it a table's. Never two gates'. A
 * entry's {@code gate} is this one only while this lock's holder put it there, so comparing it
 * under the lock tells whether the entry's other fields may be touched.
 *
 * <p>Calls out are made without the lock, by one thread at a time: for one node they come in the
 * order of its decisions, and a call that submits or finishes something does not nest.
 */
final class LockedNodeQueue implements QueueEntry.Gate {

  /** The other replicas of an entry. Safe for any thread; takes no lock. */
  interface Elsewhere {

    /** Whether a replica is there that is preferred to {@code gate}. */
    boolean hasBetter(QueueEntry entry, LockedNodeQueue gate);

    /** Whether an entry that would be done after {@code hereNanos} is much better off elsewhere. */
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

  // Published for those that choose a replica without the lock.
  private volatile long backlogNanos;
  private volatile double rate;

  /**
   * Opens a node's queue.
   *
   * @param handOff called without the lock for every entry that was started, ended by a refusal, or
   *     has to move; its state says which
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

  /** When so much more work would be done here, ns from now. */
  double doneAfterNanos(long workNanos) {
    return (backlogNanos + workNanos) / rate;
  }

  /**
   * Starts, queues or refuses.
   *
   * @return false when the gate is closed, and the entry has to go elsewhere
   */
  boolean offer(QueueEntry entry) {
    QueueEntry calls;
    synchronized (this) {
      if (closed) {
        return false;
      }
      long now = clock.nanoTime();
      entry.gate = this;
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
      queue.moveForward(entry);
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
      queue.concurrentReads(concurrentReads);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** Changes how many proxies share its range slots. */
  void proxies(int proxies) {
    QueueEntry calls;
    synchronized (this) {
      queue.proxies(proxies);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** Changes how much the node is preferred; it keeps what can go to no better one. */
  void standing(NodeStanding next) {
    standing = next;
    if (next != NodeStanding.NORMAL) {
      evacuate(false);
    }
  }

  /** Takes no more; everything queued moves. */
  void close() {
    evacuate(true);
  }

  /** The state now. */
  synchronized NodeState state() {
    return queue.state(node, standing, clock.nanoTime());
  }

  /** The tenants that have waited here, or were refused. */
  synchronized List<TenantState> tenants() {
    return queue.tenants();
  }

  /** The fate of an entry that were offered now. */
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

  /** Starts what may start, and returns what this thread has to call. */
  @GuardedBy("this")
  private @Nullable QueueEntry settle(long now) {
    queue.dispatch(now);
    backlogNanos = queue.backlogNanos();
    rate = queue.rate();
    return ready.claim();
  }

  @GuardedBy("this")
  private boolean isQueuedHere(QueueEntry entry) {
    return entry.gate == this && entry.state == State.QUEUED;
  }

  private synchronized @Nullable QueueEntry moreCalls() {
    return ready.more();
  }

  /** A call that throws must not keep the others from theirs; the first failure is thrown last. */
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
