package io.sluice.server.trace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.NanoClock;
import java.util.concurrent.TimeUnit;

/** A limit of so many traces a second. Safe for any thread; holds a lock for a moment. */
final class TraceRate {

  private final int most;
  private final NanoClock clock;

  @GuardedBy("this")
  private long second;

  @GuardedBy("this")
  private int taken;

  TraceRate(int most, NanoClock clock) {
    this.most = most;
    this.clock = clock;
    this.second = clock.nanoTime();
  }

  /** Whether there is room for one more this second. */
  synchronized boolean take() {
    long now = clock.nanoTime();
    if (now - second >= TimeUnit.SECONDS.toNanos(1)) {
      second = now;
      taken = 0;
    }
    if (taken >= most) {
      return false;
    }
    taken++;
    return true;
  }
}
