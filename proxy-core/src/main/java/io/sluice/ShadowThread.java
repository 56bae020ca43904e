package io.sluice;

import io.sluice.decide.shadow.Shadow;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that runs the shadow: no request waits for it. Safe for any thread. */
final class ShadowThread implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ShadowThread.class);
  private static final long PAUSE_MILLIS = 50;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "sluice-shadow");
            made.setDaemon(true);
            return made;
          });
  private final Shadow shadow;

  private ShadowThread(Shadow shadow) {
    this.shadow = shadow;
  }

  /** Runs it from now on until it is closed. */
  static ShadowThread begin(Shadow shadow) {
    ShadowThread begun = new ShadowThread(shadow);
    begun.thread.scheduleWithFixedDelay(begun::run, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    return begun;
  }

  private void run() {
    try {
      shadow.run();
    } catch (RuntimeException e) {
      // A task that throws would not be run again.
      LOG.warn("What Sluice would do is not known for a moment: {}", e.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
