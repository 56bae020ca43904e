package io.sluice.decide.schedule;

/**
 * The limit on range sub-requests in flight at a node (Kr), found by measuring. Samples in, number
 * out; it counts nothing that is in flight. Not safe for several threads.
 *
 * <p>A sample is how much longer an answer took than the work it did should take. Samples are
 * averaged (geometrically, one pause must not decide) over windows; those that started under an
 * earlier limit are ignored. A window above {@value #TOLERANCE} times the base lowers the limit,
 * one in which the limit held something back raises it. The base is what an uncrowded node shows.
 * To find it, at the start and then at growing intervals up to 30 s while the limit is reached, the
 * limit is halved for a window, and again while that makes answers come sooner almost in
 * proportion: such a node was far beyond what it can do at once. A probe goes down to 1, whatever
 * the lowest limit: a node that has less than that many cores to itself shows what is uncrowded
 * only there.
 *
 * <p>Small sub-requests are never fewer than make up the work of {@value #LEAST_POINT_READS} point
 * reads. A node is idle for a round trip between two of them, and what each costs besides its rows
 * is less where several arrive together; a point read waits for no more than it would for so many
 * others of its kind. The measure is relative since estimates in units of time grow where nodes
 * share their cores with what the limiter cannot see.
 */
final class RangeLimiter {
  private static final int SAMPLES = 10;

  private static final long MIN_NANOS = 5_000_000;
  private static final long FIRST_PROBE_NANOS = 500_000_000;
  private static final long PROBE_NANOS = 30_000_000_000L;

  /** At the lowest limit, where a base that was luck would hold it down. */
  private static final long PROBE_AT_MIN_NANOS = 4_000_000_000L;

  private static final double TOLERANCE = 1.4;
  private static final double LOWER = 0.9;

  /** Halving the limit on a crowded node halves the samples; on an uncrowded one they stay. */
  private static final double CROWDED = 0.6;

  /** The base follows better windows at this pace, so that one lucky window does not set it. */
  private static final double FALL = 0.25;

  /**
   * Windows without a raise after the limit was lowered to one: there one more is twice as many,
   * and the time spent so is the time that point reads wait.
   */
  private static final int HOLD = 12;

  /** The base rises by this share each second, in case the work itself has become slower. */
  private static final double RISE_PER_SECOND = 0.002;

  /**
   * A probe raises it by no more: where nodes share cores, each sees the others' load as its own
   * slowness, and they would drive each other up. Not so at the lowest limit, where each probe
   * holds.
   */
  private static final double RISE_PER_PROBE = 1.1;

  /** Work that may always be in flight, in reads of one row. */
  private static final int LEAST_POINT_READS = 6;

  private final int min;
  private int max;

  /** The lowest limit for sub-requests of the size that was seen last; from min to max. */
  private int least;

  private double limit;
  private double base = Double.NaN;

  private int hold;
  private boolean probing;
  private double above;
  private double resume;
  private long lastProbe;
  private long probeInterval = FIRST_PROBE_NANOS;

  private boolean opened;
  private long limitSince;
  private long windowSince;
  private int samples;
  private int full;
  private double logarithms;
  private double sizes;

  /**
   * Starts a search.
   *
   * @param start the first limit
   * @param min never below this, but for a probe
   * @param max never above this, except that {@code min} holds
   */
  RangeLimiter(int start, int min, int max) {
    this.min = min;
    this.max = max;
    this.least = min;
    this.limit = clamp(start);
  }

  /** The limit now, from min to max. */
  int slots() {
    return (int) limit;
  }

  /** Changes the upper bound. */
  void max(int newMax) {
    max = newMax;
    least = Math.max(min, Math.min(max, least));
    limit = clamp(limit);
  }

  /** Ignores what started before {@code now}. */
  void begin(long now) {
    opened = true;
    limitSince = now;
    openWindow(now);
  }

  /**
   * One range sub-request was answered.
   *
   * @param slowness time it took, divided by the time its work should take; above 0
   * @param size the work that was in it, in reads of one row of its table; above 0
   * @param wasFull whether the limit was reached and more was waiting when it started
   * @param startedNanos when it started
   * @param now the time
   */
  void sample(double slowness, double size, boolean wasFull, long startedNanos, long now) {
    if (!opened) {
      begin(startedNanos);
    }
    if (startedNanos - limitSince < 0) {
      return;
    }
    samples++;
    full += wasFull ? 1 : 0;
    logarithms += Math.log(slowness);
    sizes += size;
    if (samples >= Math.max(SAMPLES, slots()) && now - windowSince >= MIN_NANOS) {
      close(Math.exp(logarithms / samples), full * 2 >= samples, now);
    }
  }

  /**
   * What the same work is thought to take has changed, and with it every slowness from now on.
   *
   * @param factor work as thought before, over work as thought now; above 0
   */
  void restate(double factor) {
    base *= factor;
    above *= factor;
  }

  /** The node is overloaded or did not answer in time: halves, once for all that ran together. */
  void backOff(long startedNanos, long now) {
    if (opened && startedNanos - limitSince < 0) {
      return;
    }
    opened = true;
    probing = false;
    least = min;
    setLimit(limit / 2, now);
    openWindow(now);
  }

  private void close(double slowness, boolean wasFull, long now) {
    least = (int) Math.max(min, Math.min(max, LEAST_POINT_READS * samples / sizes));
    if (probing) {
      probe(slowness, now);
    } else if (wasFull && max > min && probeIsDue(now)) {
      lookAnew(slowness, now);
    } else {
      adjust(slowness, wasFull, now);
    }
    openWindow(now);
  }

  /** One at a time shows what is uncrowded by itself; anything more is halved to find out. */
  private void lookAnew(double slowness, long now) {
    if (slots() > 1) {
      probing = true;
      halve(slowness, now);
    } else {
      base = slowness;
      lastProbe = now;
      adjust(slowness, true, now);
    }
  }

  private boolean probeIsDue(long now) {
    long interval = slots() > least ? probeInterval : Math.min(probeInterval, PROBE_AT_MIN_NANOS);
    return Double.isNaN(base) || now - lastProbe >= interval;
  }

  private void halve(double slowness, long now) {
    above = slowness;
    resume = limit;
    limit = Math.max(1, limit / 2);
    limitSince = now;
  }

  private void probe(double slowness, long now) {
    boolean crowded = slowness < CROWDED * above;
    if (crowded && slots() > 1) {
      halve(slowness, now);
      return;
    }
    setLimit(crowded ? limit : resume, now);
    boolean trusted = Double.isNaN(base) || resume <= least;
    base = trusted ? slowness : Math.min(slowness, base * RISE_PER_PROBE);
    probing = false;
    probeInterval = Math.min(PROBE_NANOS, 2 * probeInterval);
    lastProbe = now;
  }

  private void adjust(double slowness, boolean wasFull, long now) {
    trackBase(slowness, now);
    if (slowness > TOLERANCE * base) {
      setLimit(limit * LOWER, now);
      hold = slots() == 1 ? HOLD : 0;
    } else if (hold > 0) {
      hold--;
    } else if (wasFull) {
      setLimit(limit + Math.min(1, limit / 4), now);
    }
  }

  private void trackBase(double slowness, long now) {
    if (Double.isNaN(base)) {
      base = slowness;
      lastProbe = now;
    } else if (slowness < base) {
      base += FALL * (slowness - base);
    } else {
      base = Math.min(slowness, base * (1 + RISE_PER_SECOND * (now - windowSince) / 1e9));
    }
  }

  /** Only what starts under the new limit tells about it. */
  private void setLimit(double wanted, long now) {
    double next = clamp(wanted);
    if (next != limit) {
      limit = next;
      limitSince = now;
    }
  }

  private void openWindow(long now) {
    windowSince = now;
    samples = 0;
    full = 0;
    logarithms = 0;
    sizes = 0;
  }

  private double clamp(double wanted) {
    return Math.max(least, Math.min(max, wanted));
  }
}
