package io.sluice.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** A limit on log lines per second. Safe for any thread. */
public final class LineBudget {

  private static final long MILLIS = 1_000;

  @GuardedBy("this")
  private long second;

  @GuardedBy("this")
  private int written;

  @GuardedBy("this")
  private long leftOut;

  /**
   * Returns how many lines were left out since the last one; -1 when this one is to be left out
   * too.
   *
   * @param most the most lines in a second
   * @param nowMillis the time of any clock, which may be set back
   */
  public synchronized long place(int most, long nowMillis) {
    if (nowMillis - second >= MILLIS || nowMillis < second) {
      second = nowMillis;
      written = 0;
    }
    if (written >= most) {
      leftOut++;
      return -1;
    }
    written++;
    long before = leftOut;
    leftOut = 0;
    return before;
  }
}
