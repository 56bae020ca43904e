package io.sluice.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions of other processes, by polling. Stateless. */
final class Waiting {
  private static final long STEP_MILLIS = 100;

  private Waiting() {}

  /** Checks the condition every 0.1 s. Returns true when it holds, false after the time limit. */
  static boolean until(Duration limit, BooleanSupplier condition) {
    try {
      return poll(System.nanoTime() + limit.toNanos(), condition);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted while waiting for a node", e);
    }
  }

  /** The same, but an interrupted thread waits on, and is interrupted afterwards. */
  static boolean untilUninterrupted(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return poll(end, condition);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean poll(long end, BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(STEP_MILLIS);
    }
    return true;
  }
}
