package io.sluice.time;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs again and again on a daemon thread of its own, so that it may block and no
 * request waits for it. A run that throws is logged, and the next one follows. Safe for any thread.
 */
public final class Repeated implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

  private final ScheduledExecutorService thread;
  private final String name;
  private final Runnable task;

  private Repeated(String name, Runnable task) {
    this.name = name;
    this.task = task;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            run -> {
              Thread made = new Thread(run, "sluice-" + name);
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Runs the task from now on, until it is closed.
   *
   * @param name of the thread, behind {@code sluice-}
   * @param first the pause before the first run
   * @param pause between the end of a run and the next one
   */
  public static Repeated begin(String name, Duration first, Duration pause, Runnable task) {
    Repeated begun = new Repeated(name, task);
    begun.thread.scheduleWithFixedDelay(
        begun::run, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    return begun;
  }

  private void run() {
    try {
      task.run();
    } catch (RuntimeException e) {
      // A task that throws would not be run again.
      LOG.warn("A run of sluice-{} failed: {}", name, e.toString());
    }
  }

  /** Runs it no more; a run under way is interrupted, and not waited for. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
