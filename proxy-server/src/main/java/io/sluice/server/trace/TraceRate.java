package io.sluice.server.trace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.NanoClock;
import java.util.concurrent.TimeUnit;

/** Limits the number of traces per second. Safe for any thread; holds a short lock. */
final class TraceRate {

  private final int limit;
  private final NanoClock clock;

  @GuardedBy("this")
  private long second;

  @GuardedBy("this")
  private int taken;

  TraceRate(int limit, NanoClock clock) {
    this.limit = limit;
    this.clock = clock;
    this.second = clock.nanoTime();
  }

  /** Takes one of this second's traces. Returns false when none is left. */
  synchronized boolean take() {
    long now = clock.nanoTime();
    if (now - second >= TimeUnit.SECONDS.toNanos(1)) {
      second = now;
      taken = 0;
    }
    if (taken >= limit) {
      return false;
    }
    taken++;
    return true;
  }
}
