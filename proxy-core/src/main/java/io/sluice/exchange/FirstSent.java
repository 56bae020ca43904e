package io.sluice.exchange;

/**
 * The time at which the first of several requests was sent, on the clock of {@link System#nanoTime}
 * or another one that may overflow. Requests may be recorded in any order. Not safe for several
 * threads.
 */
public final class FirstSent {

  private boolean any;
  private long nanos;

  /** Records that a request was sent at this time. */
  public void sent(long atNanos) {
    if (!any || atNanos - nanos < 0) {
      any = true;
      nanos = atNanos;
    }
  }

  /** Returns the earliest recorded time; {@code otherwise} if no request was sent. */
  public long or(long otherwise) {
    return any ? nanos : otherwise;
  }

  /** Whether a request was sent. */
  boolean any() {
    return any;
  }
}
