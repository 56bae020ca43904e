package io.sluice.decide.schedule;

/**
 * The limit on range sub-requests in flight at a node (Kr), found by measuring. It takes samples
 * and returns a number; it does not count reads in flight. Not safe for several threads.
 *
 * <p>A sample is the duration of an answer over the duration that its work should take. Samples are
 * averaged over windows, geometrically, because one pause must not decide. Samples of reads that
 * started under an earlier limit are ignored. The more the durations of equal reads differ, the
 * more samples a window has. A window above {@value #TOLERANCE} times the base lowers the limit. A
 * window in which the limit held some reads back raises it. The base is the slowness of an
 * uncrowded node. Probes find the base: one at the start, then more at growing intervals up to 30 s
 * while the limit is reached. A probe halves the limit for a window, and halves it again while
 * answers become faster almost in proportion: such a node was far beyond what it can do at once. A
 * probe goes down to 1 whatever the lowest limit: a node with fewer cores to itself than that limit
 * is uncrowded only there.
 *
 * <p>Small sub-requests are never fewer than make up the work of {@value #MIN_POINT_READS} point
 * reads. A node is idle for a round trip between two of them, and their fixed cost is lower where
 * several arrive together. A point read waits for no more work than that of so many other point
 * reads. The measure is relative because estimates in units of time grow where nodes share their
 * cores with load that the limiter cannot see.
 *
 * <p>Reads that start beyond the limit, as a share of many reads in flight, have a window of their
 * own. It never lowers the limit, because such reads may be slow only because of the share. If they
 * are fast, the limit is too low, and is raised.
 */
final class RangeLimiter {
  /**
   * Longest probe interval at the lowest limit, where a base that is too low by luck would keep the
   * limit down.
   */
  private static final long PROBE_AT_MIN_NANOS = 4_000_000_000L;

  private static final double TOLERANCE = 1.4;

  /**
   * The tolerance, in standard errors of a window's mean: so many samples are taken that chance
   * alone seldom lowers the limit.
   */
  private static final double STANDARD_ERRORS = 3;

  private static final double LOWER = 0.9;

  /**
   * A limit that holds back one of so many reads is too low while answers are fast. At half a
   * node's capacity reads arrive in bursts, between which the limit is not reached.
   */
  private static final int HELD_BACK = 20;

  /**
   * The base moves toward better windows at this pace, so that one lucky window does not set it.
   */
  private static final double FALL = 0.25;

  /**
   * Windows without a raise after the limit fell to 1. From there one more doubles the reads in
   * flight, and point reads wait for as long as that lasts.
   */
  private static final int HOLD = 12;

  /** The base rises by this share each second, in case the work itself has become slower. */
  private static final double RISE_PER_SECOND = 0.002;

  /**
   * Largest rise of the base by one probe. Where nodes share cores, each sees the others' load as
   * its own slowness, and they would raise each other's base without end. At the lowest limit this
   * does not apply: each probe there sets the base.
   */
  private static final double RISE_PER_PROBE = 1.1;

  /** Time without a sample after which the limit rises. */
  private static final long QUIET_NANOS = 5_000_000_000L;

  /** Work that may always be in flight, in reads of one row. */
  private static final int MIN_POINT_READS = 6;

  /** The bounds of the limit. */
  private static final class Bounds {
    private final int min;
    private int max;

    /** The lowest limit for sub-requests of the size seen last; from min to max. */
    private int least;

    Bounds(int min, int max) {
      this.min = min;
      this.max = max;
      this.least = min;
    }

    double clamp(double wanted) {
      return Math.max(least, Math.min(max, wanted));
    }
  }

  private final SlownessWindow window = new SlownessWindow(TOLERANCE, STANDARD_ERRORS);

  /** The reads that started beyond the limit. */
  private final SlownessWindow beyond = new SlownessWindow(TOLERANCE, STANDARD_ERRORS);

  private final LimitProbe probe = new LimitProbe();
  private final int start;
  private final Bounds bounds;
  private double limit;
  private double base = Double.NaN;

  private int hold;
  private boolean opened;
  private long limitSince;

  /** When the last sample or overload came, or the limit last rose without a sample. */
  private long quietSince;

  /**
   * Creates a limiter that starts its search.
   *
   * @param start the first limit
   * @param min lower bound, which only a probe goes below
   * @param max upper bound; {@code min} takes precedence
   */
  RangeLimiter(int start, int min, int max) {
    this.start = start;
    this.bounds = new Bounds(min, max);
    this.limit = bounds.clamp(start);
  }

  /** Returns the current limit, from min to max. */
  int slots() {
    return (int) limit;
  }

  /** Changes the upper bound. A probe goes on below the lowest limit. */
  void max(int newMax) {
    bounds.max = newMax;
    bounds.least = Math.max(bounds.min, Math.min(newMax, bounds.least));
    limit = probe.isRunning() ? Math.min(limit, newMax) : bounds.clamp(limit);
  }

  /** Ignores reads that started before {@code now}. */
  void begin(long now) {
    opened = true;
    limitSince = now;
    quietSince = now;
    window.open(now);
    beyond.open(now);
  }

  /**
   * Adds the answer to one range sub-request.
   *
   * @param slowness its duration, divided by the duration that its work should take; above 0
   * @param size its work, in reads of one row of its table; above 0
   * @param limitReached whether the limit was reached and more reads were waiting when it started
   * @param startedNanos when it started
   * @param now the time
   */
  void sample(double slowness, double size, boolean limitReached, long startedNanos, long now) {
    if (!opened) {
      begin(startedNanos);
    }
    quietSince = now;
    if (startedNanos - limitSince < 0) {
      return;
    }
    window.add(slowness, size, limitReached);
    if (window.isFull(slots(), now)) {
      close(window.slowness(), window.limitReachedByOneOf(HELD_BACK), now);
    }
  }

  /**
   * Rescales the base after the predicted duration of the same work has changed, which changes
   * every later slowness.
   *
   * @param factor predicted work before, over predicted work now; above 0
   */
  void restate(double factor) {
    base *= factor;
    probe.restate(factor);
  }

  /**
   * Halves the limit after an overload error or a timeout: once for all reads that ran together.
   */
  void backOff(long startedNanos, long now) {
    if (opened && startedNanos - limitSince < 0) {
      return;
    }
    opened = true;
    quietSince = now;
    probe.abandon();
    bounds.least = bounds.min;
    setLimit(limit / 2, now);
    window.open(now);
  }

  /**
   * Records the answer to a read that is held by the limit and is no sample. Without samples only
   * overloads change the limit, and they only lower it. So after {@value #QUIET_NANOS} ns without
   * one the limit rises by one, at most to the first limit.
   *
   * @param limitReached as in {@link #sample}
   */
  void unmeasured(boolean limitReached, long now) {
    if (limitReached && limit < start && now - quietSince >= QUIET_NANOS) {
      quietSince = now;
      probe.abandon();
      setLimit(Math.min(start, limit + 1), now);
      window.open(now);
    }
  }

  /**
   * Adds the answer to a range sub-request that started beyond the limit. The parameters are those
   * of {@link #sample}. Before there is a base, only time raises the limit, as with {@link
   * #unmeasured}.
   */
  void beyond(double slowness, boolean limitReached, long startedNanos, long now) {
    if (!opened) {
      begin(startedNanos);
    }
    if (startedNanos - limitSince < 0) {
      return;
    }
    if (Double.isNaN(base) && !probe.isRunning()) {
      unmeasured(limitReached, now);
      return;
    }
    beyond.add(slowness, 1, limitReached);
    if (beyond.isFull(slots(), now)) {
      closeBeyond(beyond.slowness(), beyond.limitReachedByOneOf(HELD_BACK), now);
    }
  }

  private void closeBeyond(double slowness, boolean limitReached, long now) {
    if (probe.isRunning()) {
      endWithoutResult(now);
    } else if (limitReached && slowness <= TOLERANCE * base) {
      setLimit(limit + 1, now);
      window.open(now);
    }
    beyond.open(now);
  }

  /** Ends a probe whose limit has no effect, because a share of the reads in flight is more. */
  private void endWithoutResult(long now) {
    double before = probe.limitBefore();
    setLimit(Double.isNaN(base) ? Math.max(before, Math.min(start, before + 1)) : before, now);
    probe.end(now);
    window.open(now);
  }

  private void close(double slowness, boolean limitReached, long now) {
    double wanted = Math.min(bounds.max, MIN_POINT_READS / window.size());
    bounds.least = (int) Math.max(bounds.min, wanted);
    if (probe.isRunning()) {
      endOrHalve(slowness, now);
    } else if (limitReached && bounds.max > bounds.min && probeIsDue(now)) {
      startProbe(slowness, now);
    } else {
      adjust(slowness, limitReached, now);
    }
    window.open(now);
  }

  /**
   * Starts a probe by halving the limit. A limit of 1 needs none: one read at a time shows the
   * uncrowded node.
   */
  private void startProbe(double slowness, long now) {
    if (slots() > 1) {
      halve(slowness, now);
    } else {
      base = slowness;
      probe.postpone(now);
      adjust(slowness, true, now);
    }
  }

  private boolean probeIsDue(long now) {
    long longest = slots() > bounds.least ? Long.MAX_VALUE : PROBE_AT_MIN_NANOS;
    return Double.isNaN(base) || probe.isDue(longest, now);
  }

  private void halve(double slowness, long now) {
    probe.start(limit, slowness);
    change(Math.max(1, limit / 2), now);
  }

  private void endOrHalve(double slowness, long now) {
    boolean crowded = probe.showsCrowding(slowness);
    if (crowded && slots() > 1) {
      halve(slowness, now);
      return;
    }
    double before = probe.limitBefore();
    setLimit(crowded ? limit : before, now);
    boolean trusted = Double.isNaN(base) || before <= bounds.least;
    base = trusted ? slowness : Math.min(slowness, base * RISE_PER_PROBE);
    probe.end(now);
  }

  private void adjust(double slowness, boolean limitReached, long now) {
    trackBase(slowness, now);
    if (slowness > TOLERANCE * base) {
      setLimit(limit * LOWER, now);
      hold = slots() == 1 ? HOLD : 0;
    } else if (hold > 0) {
      hold--;
    } else if (limitReached) {
      setLimit(limit + Math.min(1, limit / 4), now);
    }
  }

  private void trackBase(double slowness, long now) {
    if (Double.isNaN(base)) {
      base = slowness;
      probe.postpone(now);
    } else if (slowness < base) {
      base += FALL * (slowness - base);
    } else {
      base = Math.min(slowness, base * (1 + RISE_PER_SECOND * window.nanos(now) / 1e9));
    }
  }

  /** Sets the limit, within its bounds. */
  private void setLimit(double wanted, long now) {
    double next = bounds.clamp(wanted);
    if (next != limit) {
      change(next, now);
    }
  }

  /** Changes the limit. Only reads that start under the new limit say something about it. */
  private void change(double next, long now) {
    limit = next;
    limitSince = now;
    beyond.open(now);
  }
}
