package io.sluice.decide.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The calls to make after the lock is released, in order, as a chain through {@code nextReady}.
 * Whoever claims it while nobody is calling becomes the caller until {@link #more} has nothing
 * left. Not safe for threads: used under the gate's lock.
 */
final class ReadyList {
  private @Nullable Demand first;
  private @Nullable Demand last;
  private boolean calling;

  void add(Demand demand) {
    if (last == null) {
      first = demand;
    } else {
      last.nextReady = demand;
    }
    last = demand;
  }

  /** The chain for a thread that is not calling yet; null when there is none, or another calls. */
  @Nullable Demand claim() {
    if (calling || first == null) {
      return null;
    }
    calling = true;
    return detach();
  }

  /** What came in the meantime, for the caller; null ends its duty. */
  @Nullable Demand more() {
    calling = first != null;
    return detach();
  }

  private @Nullable Demand detach() {
    Demand chain = first;
    first = null;
    last = null;
    return chain;
  }
}
