package io.sluice.simulator.cluster;

import java.util.Map;

/**
 * The figures of one class of reads as clients saw them, in simulated time.
 *
 * @param count reads answered
 * @param meanMs mean response, ms
 * @param p50Ms median, ms
 * @param p99Ms 99th percentile, ms
 * @param maxMs longest, ms
 * @param perSecond reads answered per second
 * @param failures reads that were not answered, by reason
 */
public record ReadFigures(
    long count,
    double meanMs,
    double p50Ms,
    double p99Ms,
    double maxMs,
    double perSecond,
    Map<Failure, Long> failures) {

  public ReadFigures {
    failures = Map.copyOf(failures);
  }

  /** Returns the number of reads that were not answered, for any reason. */
  public long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }
}
