package io.sluice.server.live;

import org.jspecify.annotations.Nullable;

/**
 * A point of the page's charts: what happened since the previous point.
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
   * @param perSecond completed reads per second
   * @param p50 their median latency in ms; null without reads
   * @param p99 their 99th percentile in ms; null without reads
   * @param waited mean wait of sent requests in the queues of nodes, in ms; null without requests
   * @param estimated estimated p99 of the time at nodes, wait included, with the scheduler, in ms;
   *     null in any mode but observe
   * @param refused refused reads and sub-requests
   * @param queued queued reads
   * @param inFlight reads in flight at nodes
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
   * Returns the point between two readings of the meters.
   *
   * @param time time of the second reading, in seconds since 1970
   * @param seconds time between the two readings, above 0
   */
  static Moment between(Totals before, Totals now, long time, double seconds) {
    return new Moment(
        time,
        OfClass.between(before.point(), now.point(), seconds),
        OfClass.between(before.range(), now.range(), seconds),
        now.clients());
  }
}
