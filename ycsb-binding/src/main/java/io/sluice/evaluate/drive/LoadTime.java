package io.sluice.evaluate.drive;

import java.time.Duration;

/**
 * How long a load runs.
 *
 * @param settling at its beginning, not counted
 * @param counted after that
 */
public record LoadTime(Duration settling, Duration counted) {
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(20);

  /** A fifth of the time, at most two seconds, to settle; the rest is counted. */
  public static LoadTime of(Duration whole) {
    Duration fifth = whole.dividedBy(5);
    Duration settling = fifth.compareTo(Duration.ofSeconds(2)) < 0 ? fifth : Duration.ofSeconds(2);
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
