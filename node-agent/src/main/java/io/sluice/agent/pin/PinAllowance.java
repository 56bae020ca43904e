package io.sluice.agent.pin;

import io.sluice.agent.host.MemoryGauge;
import java.util.concurrent.TimeUnit;

/**
 * Decides how many bytes may be kept in memory now. That is at most the budget, and at most half of
 * the memory that is available or locked by us: the other half is for the page cache. Files that
 * are kept without a lock are in the available memory. The allowance shrinks at once and grows in
 * steps. While work stalls for lack of memory, it halves every ten seconds, the time over which the
 * kernel averages. Afterwards it is restored slowly. Not safe for several threads.
 */
final class PinAllowance {
  /** The share of time in which all work waits for memory, from which on the allowance shrinks. */
  static final double STALLED_PERCENT = 25;

  /** The share below which the allowance may grow again. */
  static final double CALM_PERCENT = 5;

  static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  static final int STEPS = 8;
  private static final long SMALLEST = 1 << 20;

  private long ceiling = Long.MAX_VALUE;
  private long steppedAt;
  private boolean stepped;
  private long allowed;

  /**
   * Returns the allowance from now on, in bytes.
   *
   * @param budget most bytes to keep, at least 0
   * @param held bytes kept now
   * @param locked those of them that are locked
   */
  long next(long budget, long held, long locked, MemoryGauge.State memory, long nanos) {
    pressure(budget, Math.min(held, allowed), memory.stallPercent(), nanos);
    long room = (memory.availableBytes() + locked) / 2;
    long target = Math.max(0, Math.min(Math.min(budget, room), ceiling));
    boolean full = target == Math.min(budget, ceiling);
    if (target < allowed || full || target >= allowed + budget / STEPS) {
      allowed = target;
    }
    return allowed;
  }

  private void pressure(long budget, long held, double stall, long nanos) {
    if (stepped && nanos - steppedAt < STEP_NANOS) {
      return;
    }
    if (stall >= STALLED_PERCENT) {
      ceiling = held / 2 < SMALLEST ? 0 : held / 2;
      steppedAt = nanos;
      stepped = true;
    } else if (stall < CALM_PERCENT && ceiling != Long.MAX_VALUE) {
      ceiling = ceiling + budget / STEPS >= budget ? Long.MAX_VALUE : ceiling + budget / STEPS;
      steppedAt = nanos;
      stepped = true;
    }
  }

  @Override
  public String toString() {
    return allowed + " bytes, ceiling " + ceiling;
  }
}
