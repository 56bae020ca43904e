package io.sluice.agent.queue;

import org.jspecify.annotations.Nullable;

/**
 * One waiting task: a node of the intake, of its lane's arrival list, and of the heap. What follows
 * {@link #below} belongs to the holder of the queue's lock.
 */
final class Ticket {
  final Object task;
  final @Nullable TaskClass known;
  final boolean asked;
  final long arrivedNanos;

  /** The ticket that came before it, while it is in the intake. */
  @Nullable Ticket below;

  /** Its place in the order of arrival. */
  long number;

  @Nullable Ticket older;
  @Nullable Ticket younger;

  /** Where it is in the heap of the range lane. */
  int heapIndex = -1;

  /**
   * @param known what the task is; null if not known
   * @param asked whether anyone tried to find out
   */
  Ticket(Object task, @Nullable TaskClass known, boolean asked, long arrivedNanos) {
    this.task = task;
    this.known = known;
    this.asked = asked;
    this.arrivedNanos = arrivedNanos;
  }

  Lane lane() {
    return known == null ? Lane.LOCAL_POINT : known.lane();
  }

  /** Whether this range read goes before that one. */
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
   * From when on it may pass an earlier lane: after the age limit, or when half of its time is over
   * if that is sooner.
   */
  long overdueAt(long ageLimitNanos) {
    long patience = ageLimitNanos;
    if (known != null && known.deadlineNanos() != TaskClass.NO_DEADLINE) {
      patience = Math.min(patience, (known.deadlineNanos() - arrivedNanos) / 2);
    }
    return arrivedNanos + patience;
  }
}
