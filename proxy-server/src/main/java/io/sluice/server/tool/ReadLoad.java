package io.sluice.server.tool;

/**
 * The reads of one node during a measurement, from its virtual tables. Times of the tables are only
 * compared with each other, because versions of Cassandra differ in their unit. Immutable.
 *
 * @param seconds time between the first and the last sample
 * @param points reads of single partitions in that time
 * @param scans reads of token ranges in that time
 * @param pointMedian median time of a point read at the node, in the tables' unit
 * @param scanMedian median time of a scan
 * @param scanSlow 99th percentile of the time of a scan
 * @param running mean number of running reads over all samples
 * @param waiting mean number of reads that wait for a thread
 */
record ReadLoad(
    double seconds,
    long points,
    long scans,
    double pointMedian,
    double scanMedian,
    double scanSlow,
    double running,
    double waiting) {

  private static final double MILLIS = 1000;

  /** Whether the sample is large enough: it has point reads, and at least one read was running. */
  boolean isMeaningful() {
    return seconds > 0 && points > 0 && running > 0;
  }

  double perSecond(long reads) {
    return seconds > 0 ? reads / seconds : 0;
  }

  /**
   * Returns how long a read waits for a thread, in ms: the number of waiting reads, divided by the
   * rate at which reads start.
   */
  double waitMillis() {
    double pace = perSecond(points + scans);
    return pace > 0 ? waiting / pace * MILLIS : 0;
  }

  /** Returns the share of the threads' time that scans use, if each scan takes the median time. */
  double minScanShare() {
    return scanShare(scanMedian);
  }

  /** Returns that share if each scan takes as long as the 99th percentile. */
  double maxScanShare() {
    return Math.max(minScanShare(), scanShare(scanSlow));
  }

  private double scanShare(double each) {
    double ofScans = scans * each;
    double all = ofScans + points * pointMedian;
    return all > 0 ? ofScans / all : 0;
  }

  /** Returns how long a point read runs, in ms, if scans use that share of the threads' time. */
  private double pointMillis(double scanShare) {
    return points == 0 ? 0 : running * (1 - scanShare) * seconds / points * MILLIS;
  }

  /** Returns the minimum share of a point read's time at the node that is waiting for a thread. */
  double minWaitShare() {
    return waitShare(minScanShare());
  }

  /** Returns the maximum of that share. */
  double maxWaitShare() {
    return waitShare(maxScanShare());
  }

  private double waitShare(double scanShare) {
    double all = waitMillis() + pointMillis(scanShare);
    return all > 0 ? waitMillis() / all : 0;
  }

  /**
   * Returns the minimum share of a point read's time that is waiting behind scans: the share of
   * waiting, times the share of the threads' time that scans use.
   */
  double minShareBehindScans() {
    return minWaitShare() * minScanShare();
  }

  /** Returns the maximum of that share. */
  double maxShareBehindScans() {
    return maxWaitShare() * maxScanShare();
  }
}
