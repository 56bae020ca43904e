package io.sluice.tls;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that looks at files again and again, because reading them may block. */
final class TlsWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TlsWatch.class);

  private static final long EVERY_MILLIS = 5_000;

  private final ScheduledExecutorService thread;

  /**
   * Starts it.
   *
   * @param name of what is looked at, for the thread and the log
   */
  TlsWatch(String name, Runnable look) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "sluice-" + name);
              created.setDaemon(true);
              return created;
            });
    thread.scheduleWithFixedDelay(
        () -> look(name, look), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void look(String name, Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      LOG.warn("Cannot look at the files of {}: {}", name, e.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
