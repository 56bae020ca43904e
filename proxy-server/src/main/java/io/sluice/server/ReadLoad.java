package io.sluice.server;

/**
 * The reads of one node in some seconds, as its virtual tables tell. Times of the tables are
 * compared with each other only, since versions of Cassandra differ in their unit. Immutable.
 *
 * @param seconds between the first look and the last
 * @param points reads of single partitions in that time
 * @param scans reads of token ranges
 * @param pointMedian how long such a read takes at the node, in the tables' unit
 * @param scanMedian the same of a scan
 * @param scanSlow what 99 of 100 scans are faster than
 * @param running reads that run, on average over all looks
 * @param waiting reads that wait for a thread, likewise
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

  /** Whether there is anything to tell of: some point reads, and time for them. */
  boolean tells() {
    return seconds > 0 && points > 0 && running > 0;
  }

  double perSecond(long reads) {
    return seconds > 0 ? reads / seconds : 0;
  }

  /** How long a read waits for a thread, in ms: what waits, over the pace at which it starts. */
  double waitMillis() {
    double pace = perSecond(points + scans);
    return pace > 0 ? waiting / pace * MILLIS : 0;
  }

  /** The part of the threads' time that scans take, if a scan takes its median. */
  double leastScanShare() {
    return scanShare(scanMedian);
  }

  /** The same if each takes as long as the slowest. */
  double mostScanShare() {
    return Math.max(leastScanShare(), scanShare(scanSlow));
  }

  private double scanShare(double each) {
    double ofScans = scans * each;
    double all = ofScans + points * pointMedian;
    return all > 0 ? ofScans / all : 0;
  }

  /** How long a point read runs, in ms, when scans take that part of the threads' time. */
  private double pointMillis(double scanShare) {
    return points == 0 ? 0 : running * (1 - scanShare) * seconds / points * MILLIS;
  }

  /** The part of a point read's time at the node that is waiting for a thread, at least. */
  double leastWaitShare() {
    return waitShare(leastScanShare());
  }

  /** The same at most. */
  double mostWaitShare() {
    return waitShare(mostScanShare());
  }

  private double waitShare(double scanShare) {
    double all = waitMillis() + pointMillis(scanShare);
    return all > 0 ? waitMillis() / all : 0;
  }

  /**
   * The part of a point read's time that is waiting behind scans, at least: threads are taken by
   * scans for so much of the time in which it waits.
   */
  double leastBehindScans() {
    return leastWaitShare() * leastScanShare();
  }

  /** The same at most. */
  double mostBehindScans() {
    return mostWaitShare() * mostScanShare();
  }
}
