package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sub-request as the queues keep it: its description, and the state that it has reached. It is
 * the base class of {@link Demand} rather than a field, so that queueing allocates nothing.
 */
abstract class QueueEntry extends EntryTimes {

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
  interface Holder {

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

  final Query query;
  final int pieceNumber;
  final List<NodeId> replicas;
  final double rows;

  /**
   * The queue that holds the entry; null before, and between two queues. Written under its lock.
   */
  volatile @Nullable Holder holder;

  /**
   * Work of other entries that this entry's answer spares. Written by the permit's holder before
   * the end.
   */
  long relievedNanos;

  // The following fields belong to the queue that holds the entry. They are read and written under
  // its lock only.
  State state = State.NEW;

  /** The predicted work, ns, by the costs of the node that accepted it last. */
  long workNanos;

  /** The work in the answer, ns; NaN before. */
  double doneNanos = Double.NaN;

  @Nullable Refusal refusal;

  /** Whether it has moved from one node's queue to another's. */
  boolean moved;

  QueueEntry(Query query, int pieceNumber, List<NodeId> replicas, double rows) {
    this.query = query;
    this.pieceNumber = pieceNumber;
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
    Holder queue = holder;
    return queue != null && queue.withdraw(this, reason);
  }

  @Override
  final void moveForward() {
    Holder queue = holder;
    if (queue != null) {
      queue.moveForward(this);
    }
  }
}
