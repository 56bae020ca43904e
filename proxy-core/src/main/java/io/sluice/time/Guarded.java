package io.sluice.time;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks whose failure must not prevent later tasks. Stateless. */
public final class Guarded {

  private static final Logger LANES = LoggerFactory.getLogger(Lane.class);

  private Guarded() {}

  /** Returns a task that runs a delayed task of a lane as {@link #run} does. */
  public static Runnable delayed(Runnable task) {
    return () -> run(task, "A delayed task", LANES);
  }

  /**
   * Runs a task and logs its failure: an exception as a warning, an error with its stack trace. An
   * OutOfMemoryError is passed to this thread's uncaught-exception handler before. The host's
   * handler does not return then.
   *
   * @param what the subject of the log line
   * @param log the log of the caller
   */
  public static void run(Runnable task, String what, Logger log) {
    try {
      task.run();
    } catch (RuntimeException e) {
      log.warn("{} failed: {}", what, e.toString());
    } catch (Throwable e) {
      if (e instanceof OutOfMemoryError) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
      log.error("{} failed", what, e);
    }
  }
}
