package io.sluice.link;

import io.sluice.time.NanoClock;

/**
 * Counts how long a link has heard nothing although a request waits for an answer. Not thread-safe:
 * one lane.
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
  private boolean suspect;

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
    suspect = false;
  }

  /** Looks at the clock; PROBE and SUSPECT are said once for each silence. */
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
    if (probed && !suspect && quiet > config.suspectAfter().toNanos()) {
      suspect = true;
      return Verdict.SUSPECT;
    }
    return Verdict.FINE;
  }
}
