package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The calls to make after the lock is released, in order, as a chain through {@code nextReady}. The
 * thread that claims it while no other is calling becomes the caller until {@link #more} has
 * nothing left. Not safe for several threads: used under the gate's lock.
 */
final class ReadyList {
  private @Nullable QueueEntry first;
  private @Nullable QueueEntry last;
  private boolean calling;

  void add(QueueEntry entry) {
    if (last == null) {
      first = entry;
    } else {
      last.nextReady = entry;
    }
    last = entry;
  }

  /** The chain for a thread that is not calling yet; null when there is none, or another calls. */
  @Nullable QueueEntry claim() {
    if (calling || first == null) {
      return null;
    }
    calling = true;
    return detach();
  }

  /** What came in the meantime, for the caller; null ends its duty. */
  @Nullable QueueEntry more() {
    calling = first != null;
    return detach();
  }

  private @Nullable QueueEntry detach() {
    QueueEntry chain = first;
    first = null;
    last = null;
    return chain;
  }
}
