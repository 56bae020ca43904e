package io.sluice.watch;

import java.util.concurrent.TimeUnit;

/**
 * The pause before a failed query is repeated. It doubles with each failure. Not safe for several
 * threads.
 */
final class RetryPause {

  static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private long pauseNanos;
  private long dueNanos;

  /** Whether the pause is over. */
  boolean isOver(long now) {
    return pauseNanos == 0 || now - dueNanos >= 0;
  }

  /** Starts a pause that is twice as long as the last one, and at most {@link #MAX_NANOS}. */
  void start(long now) {
    pauseNanos = Math.min(MAX_NANOS, Math.max(MIN_NANOS, 2 * pauseNanos));
    dueNanos = now + pauseNanos;
  }

  /** Ends the pause; the next one is short again. */
  void end() {
    pauseNanos = 0;
  }
}
