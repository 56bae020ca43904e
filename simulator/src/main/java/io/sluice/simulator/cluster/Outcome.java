package io.sluice.simulator.cluster;

import java.util.Map;

/**
 * The outcome of a simulation.
 *
 * @param variant the system between clients and nodes
 * @param proxies number of proxies; 0 for stock
 * @param point figures of point reads, as clients saw them
 * @param range figures of range reads that are not small, as clients saw them
 * @param smallRange figures of small range reads, as clients saw them
 * @param overFetch rows that nodes read for range reads beyond those that clients got, over the
 *     latter; meaningful without failures only, since their rows count as well
 * @param utilisation used share of all cores' time, 0 to 1
 * @param rangeSlots range sub-requests that one proxy gave a node at once at the end (Kr), on
 *     average; 0 without a limit
 * @param lateOvertakes range sub-requests that started ahead of one which they arrived too late to
 *     pass: after its arrival + min(100 · work, T_age); 0 for other orders
 * @param subRequests reads sent to nodes, including warm-up
 * @param backAfterSeconds time from the first death of a proxy until the reads answered in a tenth
 *     of a second were nine tenths of the mean before it, and stayed so to the end; 0 without a
 *     death, infinite if they never were
 */
public record Outcome(
    Variant variant,
    int proxies,
    ReadFigures point,
    ReadFigures range,
    ReadFigures smallRange,
    double overFetch,
    double utilisation,
    double rangeSlots,
    long lateOvertakes,
    long subRequests,
    double backAfterSeconds) {

  /** Returns the reads answered per second. */
  public double throughput() {
    return point.perSecond() + range.perSecond() + smallRange.perSecond();
  }

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
}
