package io.sluice.load;

import java.util.random.RandomGenerator;

/**
 * The arrival times of requests of one class, independent of responses: a Poisson process. Gaps are
 * exponential in the profile's own time (by inversion), so a burst that begins within a gap
 * shortens it. Not safe for several threads.
 */
public final class PoissonArrivals {
  private static final double NANOS = 1e9;

  private final RateProfile profile;
  private final RandomGenerator random;
  private double seconds;

  /** Creates a process that begins at time 0. */
  public PoissonArrivals(RateProfile profile, RandomGenerator random) {
    this.profile = profile;
    this.random = random;
  }

  /**
   * Returns the next arrival, in nanoseconds from the beginning; never earlier than the last one.
   */
  public long next() {
    seconds = profile.after(seconds, -Math.log1p(-random.nextDouble()));
    return Math.round(seconds * NANOS);
  }
}
