package io.sluice.memory;

import org.jspecify.annotations.Nullable;

/**
 * Passes caught {@link OutOfMemoryError}s to the uncaught-exception handler. A proxy without memory
 * would serve some requests and hang others. When the heap is exhausted, the JVM itself ends the
 * process ({@code -XX:+ExitOnOutOfMemoryError}). Memory outside of the heap is counted by Netty and
 * the JDK, whose errors are thrown like any other. Stateless.
 */
public final class OutOfMemory {

  private static final int MAX_CAUSES = 20;

  private OutOfMemory() {}

  /**
   * Returns the {@link OutOfMemoryError} that {@code thrown} is or was caused by; null if there is
   * none.
   */
  public static @Nullable OutOfMemoryError in(Throwable thrown) {
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MAX_CAUSES; each = each.getCause()) {
      if (each instanceof OutOfMemoryError found) {
        return found;
      }
      depth++;
    }
    return null;
  }

  /**
   * Calls this thread's uncaught-exception handler if {@code caught} comes from missing memory. The
   * host's handler does not return then.
   */
  public static void handOn(Throwable caught) {
    OutOfMemoryError missing = in(caught);
    if (missing != null) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, missing);
    }
  }
}
