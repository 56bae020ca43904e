package io.sluice.simulator.cluster;

import java.util.Map;

/**
 * The observations of clients for one class of reads, in simulated time.
 *
 * @param count reads answered
 * @param meanMs mean response, ms
 * @param p50Ms median, ms
 * @param p99Ms 99th percentile, ms
 * @param maxMs longest, ms
 * @param perSecond answered a second
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

  /** Reads that were not answered, for whatever reason. */
  public long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }
}
