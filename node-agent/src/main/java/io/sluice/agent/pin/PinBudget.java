package io.sluice.agent.pin;

import io.sluice.agent.host.MemoryGauge;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that may be kept in memory: the budget that operators set, and the part of it that
 * memory and the limit of locked memory allow now. {@link #update} is not safe for several threads;
 * the rest is safe for any thread.
 */
final class PinBudget {
  /** Reads the state of memory. */
  interface Memory {
    MemoryGauge.State read() throws IOException;
  }

  private final Memory memory;
  private final PinAllowance allowance = new PinAllowance();
  private final AtomicLong shortages = new AtomicLong();
  private volatile boolean enabled = true;
  private volatile long bytes;
  private volatile long allowed;

  PinBudget(long bytes, Memory memory) {
    this.bytes = bytes;
    this.memory = memory;
  }

  /**
   * Adapts the allowance to memory. Returns whether it has changed.
   *
   * @param held bytes kept now
   * @param locked those of them that are locked
   * @param room bytes that can be kept in addition
   */
  boolean update(long held, long locked, long room, long nanos) throws IOException {
    long before = allowed;
    long most = room > Long.MAX_VALUE - held ? Long.MAX_VALUE : held + room;
    long budget = enabled ? Math.min(bytes, most) : 0;
    long next = allowance.next(budget, held, locked, memory.read(), nanos);
    allowed = next;
    if (next < held && enabled && next < bytes) {
      shortages.incrementAndGet();
    }
    return next != before;
  }

  /** Allows nothing from the next update on, or the budget again. */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** Sets the budget from the next update on. */
  void setBytes(long bytes) {
    this.bytes = bytes;
  }

  long bytes() {
    return bytes;
  }

  /** Returns the bytes that may be kept in memory now. */
  long allowed() {
    return allowed;
  }

  /** Returns how many times memory was too short for the kept files. */
  long shortages() {
    return shortages.get();
  }
}
