package io.sluice.time;

/** Runs things later. Safe for any thread. */
public interface Timer {

  /**
   * Runs {@code task} once, {@code delayNanos} from now or a little later, on a thread of the
   * timer's own choosing; the task must not block.
   */
  Timeout schedule(long delayNanos, Runnable task);

  /** The right to call a scheduled task off. */
  @FunctionalInterface
  interface Timeout {

    /** Calls the task off; nothing happens when it already ran. */
    void cancel();
  }
}
