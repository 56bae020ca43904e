package io.sluice.decide.schedule;

/**
 * The times of an entry, ns on the scheduler's clock, and what its node was like when it started.
 * It is a base class of {@link QueueEntry} rather than a field, so that queueing allocates nothing.
 * Unless a field says otherwise, it is read and written under the lock of the entry's queue only.
 * Not safe for several threads.
 */
abstract class EntryTimes extends QueueLinks {
  /** When the entry was submitted. Written once, before any queue holds it. */
  long submittedNanos;

  /** How long it was expected to wait, when it was queued. */
  long expectedNanos;

  /** Time after sending from which the entry is late; see {@link Demand#lateNanos}. */
  long lateNanos = Long.MAX_VALUE;

  /** When the entry was started. */
  long startedNanos;

  /**
   * When the entry was sent; valid once {@link #sent} is set. Both are written by the permit's
   * holder before the end.
   */
  long sentNanos;

  boolean sent;

  /** Whether the limit on range reads was reached when it started, and more were waiting. */
  boolean limitReached;

  /** Whether it started while more range reads were in flight than the range slots alone allow. */
  boolean beyondLimit;

  /** Whether it started at a node with few reads in flight. */
  boolean uncrowded;

  /** Returns how long the entry has been in flight, ns; at least 1. */
  final long tookNanos(long now) {
    return Math.max(1, now - (sent ? sentNanos : startedNanos));
  }

  /** Returns how long the entry has waited, or had waited when it started at {@code now}, ns. */
  final long waitedNanos(long now) {
    return now - submittedNanos;
  }
}
