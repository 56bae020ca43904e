package io.sluice.agent.pin;

import org.jspecify.annotations.Nullable;

/** A time that passes again and again. Not safe for several threads. */
final class Interval {
  private final long lengthNanos;
  private @Nullable Long began;

  Interval(long lengthNanos) {
    this.lengthNanos = lengthNanos;
  }

  /** Whether the interval has passed, as it has at the first call. If so, the next one begins. */
  boolean passed(long nanos) {
    @Nullable Long before = began;
    if (before != null && nanos - before < lengthNanos) {
      return false;
    }
    began = nanos;
    return true;
  }

  @Override
  public String toString() {
    return lengthNanos + " ns since " + began;
  }
}
