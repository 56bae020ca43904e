package io.sluice.simulator.cluster;

/**
 * The outcome of a simulation.
 *
 * @param variant what stood between clients and nodes
 * @param proxies how many proxies; 0 for stock
 * @param point what clients saw of point reads
 * @param range what clients saw of range reads
 * @param overFetch rows that nodes read for range reads beyond what clients got, over the latter;
 *     without failures only, since what was read for those counts as well
 * @param utilisation share of all cores' time that was used, 0 to 1
 * @param rangeSlots range sub-requests that one proxy gave a node at once at the end (Kr), on
 *     average; 0 without a limit
 * @param lateOvertakes range sub-requests that started ahead of one which they arrived too late to
 *     pass: after its arrival + min(100 · work, T_age); 0 where the order is another
 * @param subRequests reads sent to nodes, warming up included
 * @param backAfterSeconds how long after the first death of a proxy the reads answered in a tenth
 *     of a second were nine tenths of the mean before it, ever since or until the end; 0 without a
 *     death, infinite when they never were
 */
public record Outcome(
    Variant variant,
    int proxies,
    ReadFigures point,
    ReadFigures range,
    double overFetch,
    double utilisation,
    double rangeSlots,
    long lateOvertakes,
    long subRequests,
    double backAfterSeconds) {

  /** Reads answered a second. */
  public double throughput() {
    return point.perSecond() + range.perSecond();
  }
}
