package io.sluice.agent.pin;

import io.sluice.agent.host.MemoryState;
import java.util.concurrent.TimeUnit;

/**
 * Decides how many bytes may be held now. Never more than the budget, nor than half of what is
 * available and held together: the page cache keeps the other half. It shrinks at once, and grows
 * in steps. While the kernel stalls for want of memory, the allowance halves every ten seconds,
 * which is the time over which the kernel averages; it comes back slowly once that is over. Not
 * safe for several threads.
 */
final class PinAllowance {
  /** Share of time in which all work waits for memory, from which on the allowance shrinks. */
  static final double STALLED_PERCENT = 25;

  /** Share below which it may grow again. */
  static final double CALM_PERCENT = 5;

  static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  static final int STEPS = 8;
  private static final long NOTHING = 1 << 20;

  private long ceiling = Long.MAX_VALUE;
  private long steppedAt;
  private boolean stepped;
  private long allowed;

  /**
   * The allowance from now on, in bytes.
   *
   * @param budget bytes that may be held at most, at least 0
   * @param held bytes that are held now
   */
  long next(long budget, long held, MemoryState memory, long nanos) {
    pressure(budget, Math.min(held, allowed), memory.stallPercent(), nanos);
    long room = (memory.availableBytes() + held) / 2;
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
      ceiling = held / 2 < NOTHING ? 0 : held / 2;
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
