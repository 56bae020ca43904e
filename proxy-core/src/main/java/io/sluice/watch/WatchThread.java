package io.sluice.watch;

import io.sluice.time.Guarded;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread on which the watch keeps its state. Safe for any thread. A task that is
 * submitted after {@link #close} is rejected with a RejectedExecutionException.
 */
final class WatchThread implements Lane {

  private static final Logger LOG = LoggerFactory.getLogger(WatchThread.class);

  private volatile @Nullable Thread current;

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-watch");
            thread.setDaemon(true);
            current = thread;
            return thread;
          });

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == current;
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(() -> guarded(task));
  }

  @Override
  public Timer.Timeout schedule(long delayNanos, Runnable task) {
    Future<?> scheduled = executor.schedule(() -> guarded(task), delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  /** Runs {@code task} periodically, with this pause between two runs. */
  void repeat(long everyMillis, Runnable task) {
    executor.scheduleWithFixedDelay(
        () -> guarded(task), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
  }

  private static void guarded(Runnable task) {
    Guarded.run(task, "A task that watches the cluster", LOG);
  }

  /** Ends the thread after all tasks that were submitted before, and after {@code last}. */
  void close(Runnable last) {
    try {
      execute(last);
      executor.execute(executor::shutdownNow);
    } catch (RejectedExecutionException closedBefore) {
      LOG.debug("Closed before");
    }
  }
}
