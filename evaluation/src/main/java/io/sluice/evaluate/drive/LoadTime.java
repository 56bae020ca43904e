package io.sluice.evaluate.drive;

import java.time.Duration;

/**
 * The duration of a load.
 *
 * @param settling time at the beginning that is not counted
 * @param counted counted time after that
 */
public record LoadTime(Duration settling, Duration counted) {
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(5);
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(20);

  /**
   * Returns a time of which a fifth, at most five seconds, is for settling. Then all clients begin
   * at once, which is a load that does not occur later.
   */
  public static LoadTime of(Duration whole) {
    Duration fifth = whole.dividedBy(5);
    Duration settling = fifth.compareTo(LONGEST_SETTLING) < 0 ? fifth : LONGEST_SETTLING;
    return new LoadTime(settling, whole.minus(settling));
  }

  /** Returns the default warm-up for this load: as long as the load, at most twenty seconds. */
  public LoadTime warmUp() {
    return warmUp(whole().compareTo(LONGEST_WARM_UP) < 0 ? whole() : LONGEST_WARM_UP);
  }

  /** Returns a warm-up of this length, none of which is counted by the caller. */
  public static LoadTime warmUp(Duration whole) {
    return new LoadTime(Duration.ZERO, whole);
  }

  /** Returns the whole duration. */
  public Duration whole() {
    return settling.plus(counted);
  }

  /** Returns the counted time in seconds. */
  public double seconds() {
    return counted.toNanos() / 1e9;
  }
}
