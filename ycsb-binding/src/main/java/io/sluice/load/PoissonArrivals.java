package io.sluice.load;

import java.util.random.RandomGenerator;

/**
 * The times at which requests of one class are to start, whatever became of those before: a Poisson
 * process. Gaps are exponential in the profile's own time (inversion), so that a burst that begins
 * within a gap shortens it. Not safe for several threads.
 */
public final class PoissonArrivals {
  private static final double NANOS = 1e9;

  private final RateProfile profile;
  private final RandomGenerator random;
  private double seconds;

  /** The process that begins at time 0. */
  public PoissonArrivals(RateProfile profile, RandomGenerator random) {
    this.profile = profile;
    this.random = random;
  }

  /** The next arrival, in nanoseconds after the beginning; never before the one before it. */
  public long next() {
    seconds = profile.after(seconds, -Math.log1p(-random.nextDouble()));
    return Math.round(seconds * NANOS);
  }
}
