package io.sluice.link;

import io.sluice.time.NanoClock;

/**
 * Counts how long a link has heard nothing although a request waits for an answer. Not safe for
 * several threads: one lane.
 */
final class SilenceWatch {

  /** What to do about a link. */
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

  /** A request left; {@code waiting} requests, this one included, now wait for an answer. */
  void sent(int waiting, long now) {
    if (waiting == 1) {
      quietSince = now;
    }
  }

  /** Bytes came. */
  void heard(long now) {
    quietSince = now;
    probed = false;
  }

  /**
   * Looks at the clock. PROBE is returned once for each silence, SUSPECT each time: a request that
   * was granted before may be sent on a link that is suspect.
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
