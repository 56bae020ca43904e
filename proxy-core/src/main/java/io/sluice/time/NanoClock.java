package io.sluice.time;

/**
 * A monotonic clock, of which only differences between readings are meaningful. Safe for any
 * thread.
 */
@FunctionalInterface
public interface NanoClock {

  /** Returns nanoseconds since an arbitrary origin. Never decreases. */
  long nanoTime();
}
