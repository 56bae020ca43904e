package io.sluice.journal;

import io.sluice.decide.schedule.Scheduler;
import io.sluice.ring.Ring;
import io.sluice.time.NanoClock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the log, once a second, what has changed at the nodes. It looks at what others keep
 * anyway, on a thread of its own: no request waits for it. Safe for any thread.
 */
public final class Journal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.Journal");

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "sluice-journal");
            made.setDaemon(true);
            return made;
          });
  private final ClusterJournal journal = new ClusterJournal();
  private final Supplier<Ring> ring;
  private final Scheduler scheduler;
  private final NanoClock clock;

  private Journal(Supplier<Ring> ring, Scheduler scheduler, NanoClock clock) {
    this.ring = ring;
    this.scheduler = scheduler;
    this.clock = clock;
  }

  /** Looks now, and then once a second until it is closed. */
  public static Journal begin(Supplier<Ring> ring, Scheduler scheduler, NanoClock clock) {
    Journal begun = new Journal(ring, scheduler, clock);
    begun.thread.scheduleWithFixedDelay(begun::look, 0, 1, TimeUnit.SECONDS);
    return begun;
  }

  private void look() {
    try {
      journal
          .look(ring.get(), scheduler.snapshot().nodes(), clock.nanoTime())
          .forEach(line -> LOG.atLevel(line.level()).log(line.text()));
    } catch (RuntimeException e) {
      LOG.warn("Looking at the nodes failed once: {}", e.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
