package io.sluice.memory;

import org.jspecify.annotations.Nullable;

/**
 * Hands on errors of missing memory that are caught: a proxy without memory serves some requests
 * and hangs others. The JVM ends a process by itself ({@code -XX:+ExitOnOutOfMemoryError}) where
 * its heap is exhausted; buffers outside of the heap are counted by Netty and by classes of the
 * JDK, whose error is thrown like any other. Stateless.
 */
public final class OutOfMemory {

  private static final int MOST_CAUSES = 20;

  private OutOfMemory() {}

  /** The error of missing memory that {@code thrown} is, or comes from; null if it is another. */
  public static @Nullable OutOfMemoryError in(Throwable thrown) {
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MOST_CAUSES; each = each.getCause()) {
      if (each instanceof OutOfMemoryError found) {
        return found;
      }
      depth++;
    }
    return null;
  }

  /**
   * Tells the handler of this thread's uncaught exceptions, as if nothing had caught it, when
   * memory is what is missing. The host's handler does not return then.
   */
  public static void handOn(Throwable caught) {
    OutOfMemoryError missing = in(caught);
    if (missing != null) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, missing);
    }
  }
}
