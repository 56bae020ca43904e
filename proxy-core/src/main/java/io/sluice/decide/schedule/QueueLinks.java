package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The places of an entry in the structures of one node's queue. It is a base class of {@link
 * QueueEntry} rather than a field, so that queueing allocates nothing. The fields are read and
 * written under the lock of the entry's queue only. Not safe for several threads.
 */
abstract class QueueLinks extends OpenEntries.Entry {
  /** The entry is in no tenant's queue. */
  static final int NO_TENANT = -1;

  /** The number of the tenant in whose queue the entry is, or was when it started. */
  int tenant = NO_TENANT;

  /** The place in the tenant's {@link RunQueue}. */
  int handle;

  /** The key in the order of queries; it never rises. */
  long key = Long.MAX_VALUE;

  /** The next one in the chain of calls; see {@link ReadyList}. */
  @Nullable QueueEntry nextReady;

  /** The neighbours in the order in which entries were queued; see {@link WaitStats#enter}. */
  @Nullable QueueEntry older;

  @Nullable QueueEntry younger;
}
