package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The short lock around one node's queue. Safe for any thread.
 *
 * <p>Lock order: a query's lock, alone; a gate's lock, and inside it a table's. Never two gates'. A
 * demand's {@code gate} is this one only while this lock's holder put it there, so comparing it
 * under the lock tells whether the demand's other fields may be touched.
 *
 * <p>Calls out are made without the lock, by one thread at a time: for one node they come in the
 * order of its decisions, and a call that submits or finishes something does not nest.
 */
final class LockedNodeQueue {
  private final NodeId node;
  private final NanoClock clock;
  private final ReplicaChoice choice;
  private final Consumer<Demand> handOff;

  @GuardedBy("this")
  private final ReadyList ready = new ReadyList();

  @GuardedBy("this")
  private final NodeQueue queue;

  @GuardedBy("this")
  private boolean closed;

  private volatile boolean suspect;

  // Published for ReplicaChoice, which looks without the lock.
  private volatile long backlogNanos;
  private volatile double rate;

  /**
   * Opens a node's queue.
   *
   * @param handOff called without the lock for every demand that was started, ended by a refusal,
   *     or has to move; its state says which
   */
  LockedNodeQueue(
      NodeLimits limits,
      SchedulingConfig config,
      NodeCosts costs,
      NanoClock clock,
      ReplicaChoice choice,
      Consumer<Demand> handOff) {
    this.node = limits.node();
    this.clock = clock;
    this.choice = choice;
    this.handOff = handOff;
    this.queue =
        new NodeQueue(
            config,
            limits.concurrentReads(),
            costs,
            (demand, here) -> choice.isWorthLeaving(demand, this, here),
            ready);
    this.rate = queue.rate();
  }

  NodeId node() {
    return node;
  }

  boolean isSuspect() {
    return suspect;
  }

  /** The time. */
  long now() {
    return clock.nanoTime();
  }

  /** When so much more work would be done here, ns from now. */
  double doneAfterNanos(long workNanos) {
    return (backlogNanos + workNanos) / rate;
  }

  /**
   * Starts, queues or refuses.
   *
   * @return false when the gate is closed, and the demand has to go elsewhere
   */
  boolean offer(Demand demand) {
    Demand calls;
    synchronized (this) {
      if (closed) {
        return false;
      }
      long now = clock.nanoTime();
      demand.gate = this;
      queue.accept(demand, now);
      calls = settle(now);
    }
    call(calls);
    return true;
  }

  /** Takes a queued demand out; with a refusal it is told so. False when it is not queued here. */
  boolean withdraw(Demand demand, @Nullable Refusal refusal) {
    Demand calls;
    synchronized (this) {
      if (!isQueuedHere(demand)) {
        return false;
      }
      long now = clock.nanoTime();
      queue.withdraw(demand, refusal, now);
      calls = settle(now);
    }
    call(calls);
    return true;
  }

  /** Moves a demand to where its query stands now, if it is queued here. */
  void moveForward(Demand demand) {
    Demand calls;
    synchronized (this) {
      if (!isQueuedHere(demand)) {
        return;
      }
      queue.moveForward(demand);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** See {@link Permit#finish}. */
  void answered(Demand demand, long rows, long bytes) {
    Demand calls;
    synchronized (this) {
      long now = clock.nanoTime();
      queue.answered(demand, rows, bytes, now);
      calls = settle(now);
    }
    call(calls);
  }

  /** See {@link Permit#finishOverloaded}. */
  void overloaded(Demand demand) {
    Demand calls;
    synchronized (this) {
      long now = clock.nanoTime();
      queue.overloaded(demand, now);
      calls = settle(now);
    }
    call(calls);
  }

  /** See {@link Permit#finishAbandoned}. */
  void abandoned(Demand demand) {
    Demand calls;
    synchronized (this) {
      queue.abandoned(demand);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** Changes how many reads the node runs at once. */
  void concurrentReads(int concurrentReads) {
    Demand calls;
    synchronized (this) {
      queue.concurrentReads(concurrentReads);
      calls = settle(clock.nanoTime());
    }
    call(calls);
  }

  /** A suspect node keeps only what can go nowhere else. */
  void suspect(boolean isSuspect) {
    suspect = isSuspect;
    if (isSuspect) {
      evacuate(false);
    }
  }

  /** Takes no more; everything queued moves. */
  void close() {
    evacuate(true);
  }

  /** The state now. */
  synchronized NodeState state() {
    return queue.state(node, suspect, clock.nanoTime());
  }

  private void evacuate(boolean everything) {
    Demand calls;
    synchronized (this) {
      closed |= everything;
      long now = clock.nanoTime();
      queue.evacuate(demand -> everything || choice.hasOther(demand, this), now);
      calls = settle(now);
    }
    call(calls);
  }

  /** Starts what may start, and answers what this thread has to call. */
  @GuardedBy("this")
  private @Nullable Demand settle(long now) {
    queue.dispatch(now);
    backlogNanos = queue.backlogNanos();
    rate = queue.rate();
    return ready.claim();
  }

  @GuardedBy("this")
  private boolean isQueuedHere(Demand demand) {
    return demand.gate == this && demand.state == State.QUEUED;
  }

  private synchronized @Nullable Demand moreCalls() {
    return ready.more();
  }

  /** A call that throws must not keep the others from theirs; the first failure is thrown last. */
  private void call(@Nullable Demand calls) {
    Throwable failure = null;
    Demand demand = calls;
    while (demand != null) {
      Demand next = demand.nextReady;
      demand.nextReady = null;
      try {
        handOff.accept(demand);
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
      demand = next != null ? next : moreCalls();
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
