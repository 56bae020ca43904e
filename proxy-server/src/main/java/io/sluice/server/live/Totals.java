package io.sluice.server.live;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The proxy's meters at one moment, summed over all nodes.
 *
 * @param point point reads
 * @param range range reads
 * @param clients connections of clients
 */
record Totals(OfClass point, OfClass range, int clients) {

  private static final Set<String> POINT = Set.of("point_read", "multi_point_read");
  private static final Set<String> RANGE = Set.of("range_read");

  /**
   * The meters of one class of reads. The last two are current values; the others count since the
   * start.
   *
   * @param requests completed reads of clients
   * @param latencies their latencies, in ms
   * @param sent requests to nodes
   * @param waited total time of these requests in queues, in ms
   * @param estimated estimated times of reads at nodes with the scheduler, in ms
   * @param refused refused reads and sub-requests
   * @param queued reads that are queued
   * @param inFlight reads in flight at nodes
   */
  record OfClass(
      double requests,
      Quantiles latencies,
      double sent,
      double waited,
      Quantiles estimated,
      double refused,
      int queued,
      int inFlight) {}

  static Totals of(MeterRegistry registry) {
    return new Totals(
        of(registry, "point", POINT),
        of(registry, "range", RANGE),
        (int) sum(registry.find("sluice.clients").gauges(), Gauge::value));
  }

  private static OfClass of(MeterRegistry registry, String name, Set<String> shapes) {
    double requests = 0;
    Quantiles latencies = Quantiles.NONE;
    for (Timer timer : registry.find("sluice.requests").timers()) {
      if (shapes.contains(timer.getId().getTag("shape"))) {
        requests += timer.count();
        latencies = latencies.plus(latencies(timer));
      }
    }
    return new OfClass(
        requests,
        latencies,
        counted(registry, "sluice.dispatched", name),
        waited(registry, name),
        estimated(registry, name),
        counted(registry, "sluice.refused", name),
        gauged(registry, "sluice.queued", name),
        gauged(registry, "sluice.in.flight", name));
  }

  private static double waited(MeterRegistry registry, String name) {
    return sum(
        registry.find("sluice.read.phase").tags("class", name, "phase", "queue").timers(),
        timer -> timer.totalTime(TimeUnit.MILLISECONDS));
  }

  private static Quantiles estimated(MeterRegistry registry, String name) {
    Quantiles all = Quantiles.NONE;
    for (Timer timer : registry.find("sluice.shadow.response").tag("class", name).timers()) {
      all = all.plus(latencies(timer));
    }
    return all;
  }

  private static Quantiles latencies(Timer timer) {
    CountAtBucket[] buckets = timer.takeSnapshot().histogramCounts();
    return new Quantiles(
        Arrays.stream(buckets).mapToDouble(each -> each.bucket(TimeUnit.MILLISECONDS)).toArray(),
        Arrays.stream(buckets).mapToDouble(CountAtBucket::count).toArray());
  }

  private static double counted(MeterRegistry registry, String meter, String priorityClass) {
    return sum(
        registry.find(meter).tag("class", priorityClass).functionCounters(),
        FunctionCounter::count);
  }

  private static int gauged(MeterRegistry registry, String meter, String priorityClass) {
    return (int) sum(registry.find(meter).tag("class", priorityClass).gauges(), Gauge::value);
  }

  private static <M extends Meter> double sum(Collection<M> meters, ToDoubleFunction<M> value) {
    return meters.stream().mapToDouble(value).sum();
  }
}
