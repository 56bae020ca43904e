package io.sluice.time;

/** A monotonic clock. Only differences between two readings mean anything. Safe for any thread. */
@FunctionalInterface
public interface NanoClock {

  /** Nanoseconds since an arbitrary origin; never falls. */
  long nanoTime();
}
