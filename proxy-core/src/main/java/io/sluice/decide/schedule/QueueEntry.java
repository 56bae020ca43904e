package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sub-request as the queues keep it: its description, and the handles, times and links that they
 * need to find it again. It is the base of {@link Demand}, not a field of it, so that queueing one
 * allocates nothing.
 */
abstract class QueueEntry extends OpenEntries.Entry {

  /** The stage that it has reached. */
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

    /** The time. */
    long now();

    /** Takes a queued entry out, and refuses it if a refusal is given; false if not queued here. */
    boolean withdraw(QueueEntry entry, @Nullable Refusal refusal);

    /** Moves an entry to where its query stands now, if it is queued here. */
    void moveForward(QueueEntry entry);

    /**
     * See {@link Permit#finish}.
     *
     * @return the work that was in it, ns; NaN when nothing is learned
     */
    double answered(QueueEntry entry, long rows, long bytes);

    /** See {@link Permit#finishOverloaded}. */
    void overloaded(QueueEntry entry);

    /** See {@link Permit#finishAbandoned}. */
    void abandoned(QueueEntry entry);
  }

  /** {@link FairQueue#add} has not been called, or was undone. */
  static final int NO_TENANT = -1;

  final Query query;
  final int segment;
  final List<NodeId> replicas;
  final double rows;

  /** The gate that holds it; null before, and between two gates. Written under its lock. */
  volatile @Nullable Gate gate;

  /** Work of others that its answer spares; written by the permit's holder before the end. */
  long relievedNanos;

  /** When it was sent, as soon as {@link #sent} says so; written as {@link #relievedNanos}. */
  long sentNanos;

  boolean sent;

  /** When it was submitted; written once, before any gate holds it. */
  long submittedNanos;

  // What follows belongs to the gate: read and written under its lock only.
  State state = State.NEW;
  int tenant = NO_TENANT;
  int handle;
  @Nullable QueueEntry nextReady;
  @Nullable QueueEntry older;
  @Nullable QueueEntry younger;
  @Nullable Refusal refusal;
  long workNanos;

  /** How long after it was sent it is late, by what its table's reads take; see {@link Demand}. */
  long lateNanos = Long.MAX_VALUE;

  double doneNanos = Double.NaN;
  long key = Long.MAX_VALUE;
  long queuedNanos;
  long expectedNanos;
  long startedNanos;
  boolean sawFull;

  /** Whether it started beside more range reads than the limit on them allows by itself. */
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

  /** Its permit was given. Called at most once, with no lock held. */
  abstract void started();

  /** It will not be started. Called at most once, instead of {@link #started}, in the same way. */
  abstract void refused(Refusal reason);

  /** How long it has been under way, ns, at least 1. */
  final long tookNanos(long now) {
    return Math.max(1, now - (sent ? sentNanos : startedNanos));
  }

  final boolean isPoint() {
    return query.priorityClass() == PriorityClass.POINT;
  }

  /** Whether it is a point read that goes to one partition and no further than a page begins. */
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
