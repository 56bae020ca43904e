package io.sluice.time;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thread that runs tasks one after another, now or later: what is touched only by tasks of one
 * lane needs no lock. {@link #execute} and {@link #schedule} may be called by any thread.
 */
public interface Lane extends Executor, Timer {

  /**
   * The same as {@link #schedule}, for deadlines: many, of few lengths, and nearly always called
   * off in time. Called on this lane only, and so is the timeout.
   */
  default Timeout deadline(long delayNanos, Runnable task) {
    return schedule(delayNanos, task);
  }

  /** Whether the caller runs on this lane. */
  boolean isCurrent();

  /** Runs {@code task} at once if the caller is on this lane, else soon. */
  default void run(Runnable task) {
    if (isCurrent()) {
      task.run();
    } else {
      execute(task);
    }
  }

  /**
   * The same for a task that owns something, such as a frame.
   *
   * @param otherwise called instead, at once and by the caller's thread, when the lane has ended
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
