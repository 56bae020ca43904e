package io.sluice.it;

import java.util.ArrayList;
import java.util.List;

/**
 * The periods in which a role had a permission, exact to the duration of each change. Times are of
 * {@link System#nanoTime}. Safe for any thread.
 */
final class Rights {

  /** A period of the permission; an open end is {@link Long#MAX_VALUE}. */
  private static final class Held {
    private final long perhapsFrom;
    private long surelyFrom = Long.MAX_VALUE;
    private long surelyTo = Long.MAX_VALUE;
    private long perhapsTo = Long.MAX_VALUE;

    private Held(long perhapsFrom) {
      this.perhapsFrom = perhapsFrom;
    }
  }

  private final List<Held> times = new ArrayList<>();
  private boolean there;

  /** Whether the last change granted the permission. Only for the thread that changes it. */
  synchronized boolean isThere() {
    return there;
  }

  /** Grants the permission, by a change that takes time. */
  void give(Runnable change) {
    Held next = new Held(System.nanoTime());
    synchronized (this) {
      there = true;
      times.add(next);
    }
    change.run();
    synchronized (this) {
      next.surelyFrom = System.nanoTime();
    }
  }

  /** Revokes the permission, by a change that takes time. */
  void take(Runnable change) {
    Held last;
    synchronized (this) {
      there = false;
      last = times.get(times.size() - 1);
      last.surelyTo = System.nanoTime();
    }
    change.run();
    synchronized (this) {
      last.perhapsTo = System.nanoTime();
    }
  }

  /** Whether the role may have had the permission at any time of the period. */
  synchronized boolean perhapsAt(long from, long to) {
    return times.stream().anyMatch(held -> held.perhapsFrom <= to && held.perhapsTo >= from);
  }

  /** Whether the role had the permission during the whole period. */
  synchronized boolean surelyAt(long from, long to) {
    return times.stream().anyMatch(held -> held.surelyFrom <= from && held.surelyTo >= to);
  }
}
