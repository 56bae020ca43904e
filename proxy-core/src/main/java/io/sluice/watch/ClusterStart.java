package io.sluice.watch;

import io.sluice.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the cluster, however long its nodes take to come up. Says why it waits when the
 * reason changes, and every few seconds. For one thread, which it blocks.
 */
final class ClusterStart {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStart.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final long TELL_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final NanoClock clock;
  private final Pause pause;
  private final Consumer<String> waiting;
  private String told = "";
  private long toldAt;

  /**
   * A start with nothing tried yet.
   *
   * @param waiting told after each try why the cluster cannot be used yet
   */
  ClusterStart(NanoClock clock, Pause pause, Consumer<String> waiting) {
    this.clock = clock;
    this.pause = pause;
    this.waiting = waiting;
  }

  /** One try to connect. */
  @FunctionalInterface
  interface Try<T> {
    T connect() throws IOException;
  }

  /** Blocks for some time. */
  @FunctionalInterface
  interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * What the first try returns that succeeds.
   *
   * @param atMost no try begins later than this; null waits without end
   * @throws IOException the last failure, when the time is over or trying again cannot help
   */
  <T> T connect(Try<T> next, @Nullable Duration atMost) throws IOException {
    long began = clock.nanoTime();
    while (true) {
      try {
        return next.connect();
      } catch (ClusterMismatch e) {
        throw e;
      } catch (IOException e) {
        long waited = clock.nanoTime() - began;
        if (atMost != null && waited + PAUSE.toNanos() > atMost.toNanos()) {
          throw e;
        }
        tell(String.valueOf(e.getMessage()));
        sleep();
      }
    }
  }

  private void tell(String reason) {
    waiting.accept(reason);
    long now = clock.nanoTime();
    if (!reason.equals(told) || now - toldAt >= TELL_EVERY_NANOS) {
      told = reason;
      toldAt = now;
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
