package io.sluice.agent.queue;

import org.jspecify.annotations.Nullable;

/**
 * A queued task: a node of the intake, of the arrival list of its priority, and of the heap. The
 * fields after {@link #below} are guarded by the queue's lock.
 */
final class Ticket {
  final Object task;
  final @Nullable TaskClass known;
  final boolean classified;
  final long arrivedNanos;

  /** The ticket that arrived before, while this one is in the intake. */
  @Nullable Ticket below;

  /** The position in the order of arrival. */
  long number;

  @Nullable Ticket older;
  @Nullable Ticket younger;

  /** The index in the heap of range reads. */
  int heapIndex = -1;

  /**
   * Creates a ticket.
   *
   * @param known the class of the task; null if unknown
   * @param classified whether the classifier was called
   */
  Ticket(Object task, @Nullable TaskClass known, boolean classified, long arrivedNanos) {
    this.task = task;
    this.known = known;
    this.classified = classified;
    this.arrivedNanos = arrivedNanos;
  }

  Priority priority() {
    return known == null ? Priority.LOCAL_POINT : known.priority();
  }

  /** Whether this range read goes before the other. */
  boolean goesBefore(Ticket other) {
    long mine = known == null ? 0 : known.rank();
    long theirs = other.known == null ? 0 : other.known.rank();
    return mine == theirs ? number < other.number : mine < theirs;
  }

  boolean expired(long now) {
    return known != null
        && known.deadlineNanos() != TaskClass.NO_DEADLINE
        && now - known.deadlineNanos() >= 0;
  }

  /**
   * Returns the time after which the task may pass those of an earlier priority: after the age
   * limit, or after half of the time to its deadline if that is sooner.
   */
  long overdueAt(long ageLimitNanos) {
    long limit = ageLimitNanos;
    if (known != null && known.deadlineNanos() != TaskClass.NO_DEADLINE) {
      limit = Math.min(limit, (known.deadlineNanos() - arrivedNanos) / 2);
    }
    return arrivedNanos + limit;
  }
}
