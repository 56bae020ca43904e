package io.sluice.time;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thread that runs tasks one after another, now or later. State that only the tasks of one lane
 * use needs no lock. {@link #execute} and {@link #schedule} may be called from any thread.
 */
public interface Lane extends Executor, Timer {

  /**
   * Schedules a deadline. Works like {@link #schedule}, but for many tasks of few different delays
   * that are nearly always cancelled. This method and the timeout's {@code cancel} are called on
   * this lane only.
   */
  default Timeout deadline(long delayNanos, Runnable task) {
    return schedule(delayNanos, task);
  }

  /** Whether the caller runs on this lane. */
  boolean isCurrent();

  /** Runs {@code task} at once if the caller is on this lane, otherwise soon. */
  default void run(Runnable task) {
    if (isCurrent()) {
      task.run();
    } else {
      execute(task);
    }
  }

  /**
   * Runs a task that owns a resource, such as a frame: at once if the caller is on this lane,
   * otherwise soon.
   *
   * @param otherwise runs instead, at once and on the caller's thread, when the lane has shut down
   */
  default void run(Runnable task, Runnable otherwise) {
    if (isCurrent()) {
      task.run();
      return;
    }
    try {
      execute(task);
    } catch (RejectedExecutionException ended) {
      otherwise.run();
    }
  }
}
