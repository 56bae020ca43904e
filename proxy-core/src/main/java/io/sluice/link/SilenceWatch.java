package io.sluice.link;

import io.sluice.time.NanoClock;

/**
 * Measures how long a link has heard nothing while requests are in flight, and how long it was
 * idle. Not safe for several threads: one lane.
 */
final class SilenceWatch {

  /** The action for a link. */
  enum Verdict {
    FINE,
    PROBE,
    SUSPECT,
    DROP,
    IDLE
  }

  private final LinkConfig config;
  private long quietSince;
  private boolean probed;

  SilenceWatch(LinkConfig config, NanoClock clock) {
    this.config = config;
    this.quietSince = clock.nanoTime();
  }

  /** Notes a sent request. {@code waiting} counts the requests in flight, including this one. */
  void sent(int waiting, long now) {
    if (waiting == 1) {
      quietSince = now;
    }
  }

  /** Notes that bytes have arrived. */
  void heard(long now) {
    quietSince = now;
    probed = false;
  }

  /**
   * Returns the action at this time. PROBE is returned once for each silence, SUSPECT each time. A
   * read that had its permit before may still be sent on a suspect link.
   */
  Verdict check(int waiting, long now) {
    long quiet = now - quietSince;
    if (waiting == 0) {
      return quiet > config.idleAfter().toNanos() ? Verdict.IDLE : Verdict.FINE;
    }
    if (quiet > config.dropAfter().toNanos()) {
      return Verdict.DROP;
    }
    if (!probed && quiet > config.probeAfter().toNanos()) {
      probed = true;
      return Verdict.PROBE;
    }
    return probed && quiet > config.suspectAfter().toNanos() ? Verdict.SUSPECT : Verdict.FINE;
  }
}
