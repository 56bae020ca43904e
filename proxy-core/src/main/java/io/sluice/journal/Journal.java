package io.sluice.journal;

import io.sluice.decide.schedule.Scheduler;
import io.sluice.ring.Ring;
import io.sluice.time.NanoClock;
import io.sluice.time.Repeated;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the changes at the nodes to the log, once a second. It reads only state that is kept
 * anyway, on its own thread, so that no request waits for it. Safe for any thread.
 */
public final class Journal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.Journal");
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Repeated looking;
  private final ClusterJournal journal = new ClusterJournal();
  private final Supplier<Ring> ring;
  private final Scheduler scheduler;
  private final NanoClock clock;

  private Journal(Supplier<Ring> ring, Scheduler scheduler, NanoClock clock) {
    this.ring = ring;
    this.scheduler = scheduler;
    this.clock = clock;
    this.looking = Repeated.begin("journal", Duration.ZERO, PAUSE, this::look);
  }

  /** Starts a journal. It looks at once, and then once a second until it is closed. */
  public static Journal begin(Supplier<Ring> ring, Scheduler scheduler, NanoClock clock) {
    return new Journal(ring, scheduler, clock);
  }

  private void look() {
    journal
        .look(ring.get(), scheduler.snapshot().nodes(), clock.nanoTime())
        .forEach(line -> LOG.atLevel(line.level()).log(line.text()));
  }

  @Override
  public void close() {
    looking.close();
  }
}
