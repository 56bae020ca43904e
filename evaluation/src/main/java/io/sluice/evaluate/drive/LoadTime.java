package io.sluice.evaluate.drive;

import java.time.Duration;

/**
 * The duration of a load.
 *
 * @param settling at its beginning, not counted
 * @param counted after that
 */
public record LoadTime(Duration settling, Duration counted) {
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(5);
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(20);

  /**
   * A fifth of the time, at most five seconds, to settle; the rest is counted. All clients begin at
   * once, which is no load they make later.
   */
  public static LoadTime of(Duration whole) {
    Duration fifth = whole.dividedBy(5);
    Duration settling = fifth.compareTo(LONGEST_SETTLING) < 0 ? fifth : LONGEST_SETTLING;
    return new LoadTime(settling, whole.minus(settling));
  }

  /** To warm up for a load: as long as the load, at most twenty seconds. */
  public LoadTime warmUp() {
    return new LoadTime(
        Duration.ZERO, whole().compareTo(LONGEST_WARM_UP) < 0 ? whole() : LONGEST_WARM_UP);
  }

  /** From its beginning to its end. */
  public Duration whole() {
    return settling.plus(counted);
  }

  /** Seconds that are counted. */
  public double seconds() {
    return counted.toNanos() / 1e9;
  }
}
