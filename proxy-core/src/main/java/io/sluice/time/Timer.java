package io.sluice.time;

/** A timer that runs tasks later. Safe for any thread. */
public interface Timer {

  /**
   * Runs {@code task} once, {@code delayNanos} from now or a little later, on a thread that the
   * timer chooses. The task must not block.
   */
  Timeout schedule(long delayNanos, Runnable task);

  /** A handle to cancel a scheduled task. */
  @FunctionalInterface
  interface Timeout {

    /** Cancels the task. Does nothing when the task has already run. */
    void cancel();
  }
}
