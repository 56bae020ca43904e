package io.sluice.server.live;

import org.jspecify.annotations.Nullable;

/**
 * A point of the page's charts: what happened since the point before.
 *
 * @param time seconds since 1970
 * @param point point reads
 * @param range range reads
 * @param clients connections of clients
 */
record Moment(long time, OfClass point, OfClass range, int clients) {

  /**
   * One class of reads.
   *
   * @param perSecond reads that ended, a second
   * @param p50 their latency in ms; null when there were none
   * @param p99 their latency in ms; null when there were none
   * @param waited mean wait in the queues of nodes, in ms, of what was sent; null when nothing was
   * @param estimated p99 of the time of reads at nodes with their wait, in ms, as it would be with
   *     the scheduler; null in any mode but observe
   * @param refused reads and sub-requests that were refused
   * @param queued that wait
   * @param inFlight that nodes work on
   */
  record OfClass(
      double perSecond,
      @Nullable Double p50,
      @Nullable Double p99,
      @Nullable Double waited,
      @Nullable Double estimated,
      double refused,
      int queued,
      int inFlight) {

    static OfClass between(Totals.OfClass before, Totals.OfClass now, double seconds) {
      Quantiles latencies = now.latencies().since(before.latencies());
      double sent = now.sent() - before.sent();
      return new OfClass(
          tenths((now.requests() - before.requests()) / seconds),
          known(latencies.at(0.5)),
          known(latencies.at(0.99)),
          sent > 0 ? known((now.waited() - before.waited()) / sent) : null,
          known(now.estimated().since(before.estimated()).at(0.99)),
          Math.max(0, now.refused() - before.refused()),
          now.queued(),
          now.inFlight());
    }

    private static @Nullable Double known(double millis) {
      return Double.isFinite(millis) ? Math.round(millis * 1e3) / 1e3 : null;
    }

    private static double tenths(double value) {
      return Math.round(value * 10) / 10.0;
    }
  }

  /**
   * The point between two looks at the counts.
   *
   * @param time of the second look, in seconds since 1970
   * @param seconds between the two, above 0
   */
  static Moment between(Totals before, Totals now, long time, double seconds) {
    return new Moment(
        time,
        OfClass.between(before.point(), now.point(), seconds),
        OfClass.between(before.range(), now.range(), seconds),
        now.clients());
  }
}
