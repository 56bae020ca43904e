package io.sluice.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for another process, which can only be looked at again and again. */
final class Waiting {
  private static final long STEP_MILLIS = 100;

  private Waiting() {}

  /** Asks every 0.1 s until the answer is yes (true) or the time is over (false). */
  static boolean until(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      try {
        Thread.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterFailure("interrupted while waiting for a node", e);
      }
    }
    return true;
  }
}
