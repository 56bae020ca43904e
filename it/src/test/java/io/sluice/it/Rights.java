package io.sluice.it;

import java.util.ArrayList;
import java.util.List;

/**
 * The times in which a role had a right, known to within the time that a change of it took. Times
 * are of {@link System#nanoTime}. Safe for any thread.
 */
final class Rights {

  /** A time of the right; a bound is {@link Long#MAX_VALUE} as long as it is there. */
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

  /** Whether the last change gave it. Only for the one thread that changes it. */
  synchronized boolean isThere() {
    return there;
  }

  /** Gives it, by a change that takes its time. */
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

  /** Takes it, by a change that takes its time. */
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

  /** Whether it may have been there at any time from one to the other. */
  synchronized boolean perhapsAt(long from, long to) {
    return times.stream().anyMatch(held -> held.perhapsFrom <= to && held.perhapsTo >= from);
  }

  /** Whether it was there all the time from one to the other. */
  synchronized boolean surelyAt(long from, long to) {
    return times.stream().anyMatch(held -> held.surelyFrom <= from && held.surelyTo >= to);
  }
}
