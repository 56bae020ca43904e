package io.sluice.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** The system clock. No other class of the proxy reads it. */
public final class SystemTime implements NanoClock, WallClock {

  private static final long LOOK_EVERY_MILLIS = 20;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  /** Blocks for {@code time}. */
  public void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }

  /**
   * Blocks until {@code condition} holds. Meant for threads that have nothing else to do.
   *
   * @return whether it held within {@code atMost}
   * @throws InterruptedException when interrupted while waiting
   */
  public boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long end = nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (nanoTime() - end >= 0) {
        return false;
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    return true;
  }
}
