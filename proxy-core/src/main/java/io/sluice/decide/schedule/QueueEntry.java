package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sub-request as the queues keep it: its description, and the handles, times and links that they
 * need to find it. It is the base class of {@link Demand} rather than a field, so that queueing
 * allocates nothing.
 */
abstract class QueueEntry extends OpenEntries.Entry {

  /** The stage that the entry has reached. */
  enum State {
    NEW,
    QUEUED,
    /** Between two nodes' queues. */
    MOVING,
    STARTED,
    ENDED
  }

  /** The locked queue of one node. Safe for any thread. */
  interface Gate {

    NodeId node();

    /** Returns the time. */
    long now();

    /**
     * Removes a queued entry, and refuses it if a refusal is given; false if it is not queued here.
     */
    boolean withdraw(QueueEntry entry, @Nullable Refusal refusal);

    /** Moves an entry, if it is queued here, to its query's current place in the order. */
    void moveForward(QueueEntry entry);

    /**
     * See {@link Permit#finish}.
     *
     * @return the work in the answer, ns; NaN when nothing is learned
     */
    double answered(QueueEntry entry, long rows, long bytes);

    /** See {@link Permit#finishOverloaded}. */
    void overloaded(QueueEntry entry);

    /** See {@link Permit#finishAbandoned}. */
    void abandoned(QueueEntry entry);
  }

  /** The entry is in no tenant's queue. */
  static final int NO_TENANT = -1;

  final Query query;
  final int segment;
  final List<NodeId> replicas;
  final double rows;

  /**
   * The gate that holds the entry; null before, and between two gates. Written under the gate's
   * lock.
   */
  volatile @Nullable Gate gate;

  /**
   * Work of other entries that this entry's answer spares. Written by the permit's holder before
   * the end.
   */
  long relievedNanos;

  /**
   * When the entry was sent; valid once {@link #sent} is set. Written like {@link #relievedNanos}.
   */
  long sentNanos;

  boolean sent;

  /** When the entry was submitted. Written once, before any gate holds it. */
  long submittedNanos;

  // The following fields belong to the gate. They are read and written under its lock only.
  State state = State.NEW;
  int tenant = NO_TENANT;
  int handle;
  @Nullable QueueEntry nextReady;
  @Nullable QueueEntry older;
  @Nullable QueueEntry younger;
  @Nullable Refusal refusal;
  long workNanos;

  /** Time after sending from which the entry is late; see {@link Demand#lateNanos}. */
  long lateNanos = Long.MAX_VALUE;

  double doneNanos = Double.NaN;
  long key = Long.MAX_VALUE;
  long queuedNanos;
  long expectedNanos;
  long startedNanos;
  boolean limitReached;

  /** Whether it started while more range reads were in flight than the range slots alone allow. */
  boolean beyondLimit;

  boolean uncrowded;
  boolean moved;

  QueueEntry(Query query, int segment, List<NodeId> replicas, double rows) {
    this.query = query;
    this.segment = segment;
    this.replicas = List.copyOf(replicas);
    this.rows = rows;
    if (this.replicas.isEmpty() || !(rows >= 0)) {
      throw new IllegalArgumentException("needs a replica and rows >= 0, not " + rows);
    }
  }

  /** Reports that the permit was given. Called at most once, with no lock held. */
  abstract void started();

  /**
   * Reports that the entry will not be started. Called at most once, instead of {@link #started},
   * in the same way.
   */
  abstract void refused(Refusal reason);

  /** Returns how long the entry has been in flight, ns; at least 1. */
  final long tookNanos(long now) {
    return Math.max(1, now - (sent ? sentNanos : startedNanos));
  }

  final boolean isPoint() {
    return query.priorityClass() == PriorityClass.POINT;
  }

  /**
   * Whether this is a point read of one partition, on its first page: it expects at most one row.
   */
  final boolean isOnePartition() {
    return isPoint() && rows <= 1;
  }

  final SlotClass slotClass() {
    return query.slotClass();
  }

  @Override
  final boolean withdraw(@Nullable Refusal reason) {
    Gate holder = gate;
    return holder != null && holder.withdraw(this, reason);
  }

  @Override
  final void moveForward() {
    Gate holder = gate;
    if (holder != null) {
      holder.moveForward(this);
    }
  }
}
