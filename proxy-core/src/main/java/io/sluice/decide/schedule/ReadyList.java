package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The calls to make after the lock is released, in order, as a chain through {@code nextReady}. A
 * thread that claims the chain while no other thread is calling becomes the caller until {@link
 * #more} returns null. Not safe for several threads: used under the queue's lock.
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

  /**
   * Returns the chain for a thread that is not calling yet; null if it is empty or another thread
   * is calling.
   */
  @Nullable QueueEntry claim() {
    if (calling || first == null) {
      return null;
    }
    calling = true;
    return detach();
  }

  /**
   * Returns the entries added in the meantime, for the calling thread. Null means that it has
   * finished.
   */
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
