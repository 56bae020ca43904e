package io.sluice.time;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs periodically on a daemon thread of its own, so it may block without delaying
 * requests. A run that throws is logged, and the next run follows. Safe for any thread.
 */
public final class Repeated implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

  private final ScheduledExecutorService thread;

  private Repeated(String name) {
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            run -> {
              Thread made = new Thread(run, "sluice-" + name);
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Starts running the task until {@link #close}.
   *
   * @param name the thread's name, after {@code sluice-}
   * @param first the delay before the first run
   * @param pause the delay between the end of a run and the next one
   */
  public static Repeated begin(String name, Duration first, Duration pause, Runnable task) {
    Repeated begun = new Repeated(name);
    String what = "A run of sluice-" + name;
    // The executor would not run a task again after it throws.
    begun.thread.scheduleWithFixedDelay(
        () -> Guarded.run(task, what, LOG), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    return begun;
  }

  /** Stops the task. A current run is interrupted but not waited for. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
