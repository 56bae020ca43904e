package io.sluice.agent.hint;

import org.jspecify.annotations.Nullable;

/**
 * The hint of the request that this thread is working on. Cassandra plans and sends the reads of a
 * request on the thread that took the request.
 */
public final class CurrentHint {
  private static final ThreadLocal<@Nullable Hint> CURRENT = new ThreadLocal<>();

  private CurrentHint() {}

  /** Returns the hint, or null. */
  public static @Nullable Hint get() {
    return CURRENT.get();
  }

  /** Sets the hint; null removes it. */
  public static void set(@Nullable Hint hint) {
    if (hint != null) {
      CURRENT.set(hint);
    } else if (CURRENT.get() != null) {
      CURRENT.remove();
    }
  }
}
