package io.sluice.watch;

import io.sluice.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the cluster, and retries while its nodes come up. Logs why it waits when the reason
 * changes, and every few seconds. Blocks its thread. Not safe for several threads.
 */
final class ClusterStart {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStart.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final long LOG_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final NanoClock clock;
  private final Pause pause;
  private final Consumer<String> waiting;
  private String lastReason = "";
  private long lastLogNanos;

  /**
   * Creates a start. {@link #connect} runs it.
   *
   * @param waiting receives, after each failed attempt, the reason why the cluster is not usable
   *     yet
   */
  ClusterStart(NanoClock clock, Pause pause, Consumer<String> waiting) {
    this.clock = clock;
    this.pause = pause;
    this.waiting = waiting;
  }

  /** One attempt to connect. */
  @FunctionalInterface
  interface Try<T> {
    T connect() throws IOException;
  }

  /** A blocking sleep. */
  @FunctionalInterface
  interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * Returns the result of the first successful attempt.
   *
   * @param timeout no attempt begins later than this; null retries forever
   * @throws IOException the last failure, after the timeout or when a retry cannot help
   */
  <T> T connect(Try<T> attempt, @Nullable Duration timeout) throws IOException {
    long began = clock.nanoTime();
    while (true) {
      try {
        return attempt.connect();
      } catch (ClusterMismatch e) {
        throw e;
      } catch (IOException e) {
        long waited = clock.nanoTime() - began;
        if (timeout != null && waited + PAUSE.toNanos() > timeout.toNanos()) {
          throw e;
        }
        report(String.valueOf(e.getMessage()));
        sleep();
      }
    }
  }

  private void report(String reason) {
    waiting.accept(reason);
    long now = clock.nanoTime();
    if (!reason.equals(lastReason) || now - lastLogNanos >= LOG_EVERY_NANOS) {
      lastReason = reason;
      lastLogNanos = now;
      LOG.warn("Waiting for the cluster: {}", reason);
    }
  }

  private void sleep() throws IOException {
    try {
      pause.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the cluster", e);
    }
  }
}
