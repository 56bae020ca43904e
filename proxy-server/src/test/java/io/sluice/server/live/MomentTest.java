package io.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Points of the charts, from the meters as the proxy registers them. */
class MomentTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger waiting = registry.gauge("none", new AtomicInteger());

  private Timer requests(String shape) {
    return Timer.builder("sluice.requests")
        .publishPercentileHistogram()
        .tag("shape", shape)
        .register(registry);
  }

  /** A sum that the test increases, for one class at one node. */
  private AtomicInteger summed(String name, String node, String priorityClass) {
    AtomicInteger sum = new AtomicInteger();
    FunctionCounter.builder(name, sum, AtomicInteger::get)
        .tags("node", node, "class", priorityClass)
        .register(registry);
    return sum;
  }

  private Moment between(Totals before, double seconds) {
    return Moment.between(before, Totals.of(registry), 1_000, seconds);
  }

  @Test
  void a_proxy_without_traffic_has_a_point_without_latencies() {
    Moment quiet = between(Totals.of(registry), 1);
    assertThat(quiet)
        .isEqualTo(
            new Moment(
                1_000,
                new Moment.OfClass(0, null, null, null, null, 0, 0, 0),
                new Moment.OfClass(0, null, null, null, null, 0, 0, 0),
                0));
  }

  @Test
  void reads_of_one_key_and_of_many_are_point_reads_and_writes_are_neither() {
    Totals before = Totals.of(registry);
    requests("point_read").record(3, TimeUnit.MILLISECONDS);
    requests("multi_point_read").record(3, TimeUnit.MILLISECONDS);
    requests("write").record(900, TimeUnit.MILLISECONDS);
    Moment.OfClass point = between(before, 0.5).point();
    assertThat(point.perSecond()).isEqualTo(4);
    assertThat(point.p99()).isBetween(2.0, 4.0);
  }

  @Test
  void latencies_are_those_since_the_point_before() {
    Timer range = requests("range_read");
    for (int i = 0; i < 100; i++) {
      range.record(2, TimeUnit.SECONDS);
    }
    Totals before = Totals.of(registry);
    range.record(10, TimeUnit.MILLISECONDS);
    Moment.OfClass now = between(before, 1).range();
    assertThat(now.p50()).isBetween(7.0, 13.0);
    assertThat(now.p99()).isBetween(7.0, 13.0);
  }

  @Test
  void the_estimate_is_that_of_all_nodes_since_the_point_before() {
    for (String node : List.of("a", "b")) {
      Timer timer =
          Timer.builder("sluice.shadow.response")
              .serviceLevelObjectives(Duration.ofMillis(10), Duration.ofMillis(20))
              .tags("node", node, "class", "point")
              .register(registry);
      timer.record(5, TimeUnit.MILLISECONDS);
    }
    Totals before = Totals.of(registry);
    assertThat(between(before, 1).point().estimated()).isNull();
    registry
        .get("sluice.shadow.response")
        .tag("node", "b")
        .timer()
        .record(15, TimeUnit.MILLISECONDS);
    Moment now = between(before, 1);
    assertThat(now.point().estimated()).isBetween(10.0, 20.0);
    assertThat(now.range().estimated()).isNull();
  }

  @Test
  void waits_and_refusals_are_summed_over_nodes_and_split_by_class() {
    AtomicInteger sent = summed("sluice.dispatched", "a", "range");
    AtomicInteger sentToOther = summed("sluice.dispatched", "b", "range");
    Timer waits =
        Timer.builder("sluice.read.phase")
            .tags("node", "b", "class", "range", "phase", "queue")
            .register(registry);
    Timer reads =
        Timer.builder("sluice.read.phase")
            .tags("node", "b", "class", "range", "phase", "node")
            .register(registry);
    AtomicInteger overloaded = summed("sluice.refused", "a", "range");
    AtomicInteger late = summed("sluice.refused", "b", "range");
    AtomicInteger points = summed("sluice.refused", "a", "point");
    Totals before = Totals.of(registry);
    sent.set(3);
    sentToOther.set(1);
    waits.record(2, TimeUnit.SECONDS);
    reads.record(9, TimeUnit.SECONDS);
    overloaded.set(5);
    late.set(2);
    points.set(1);

    Moment now = between(before, 1);

    assertThat(now.range().waited()).isEqualTo(500);
    assertThat(now.range().refused()).isEqualTo(7);
    assertThat(now.point().refused()).isEqualTo(1);
    assertThat(now.point().waited()).as("none was sent").isNull();
  }

  @Test
  void a_removed_node_removes_its_counts_and_no_rate_is_negative() {
    AtomicInteger refused = summed("sluice.refused", "a", "range");
    refused.set(9);
    Totals before = Totals.of(registry);
    registry.find("sluice.refused").meters().forEach(registry::remove);
    assertThat(between(before, 1).range().refused()).isZero();
  }

  @Test
  void the_number_of_queued_reads_is_the_current_one() {
    registry.gauge(
        "sluice.queued", io.micrometer.core.instrument.Tags.of("class", "point"), waiting);
    registry.gauge("sluice.clients", new AtomicInteger(3));
    waiting.set(7);
    Counter.builder("sluice.other").register(registry).increment();
    Moment now = between(Totals.of(registry), 1);
    assertThat(now.point().queued()).isEqualTo(7);
    assertThat(now.range().queued()).isZero();
  }

  @Test
  void the_history_keeps_an_hour() {
    History history = new History();
    Totals totals = Totals.of(registry);
    for (int i = 0; i < History.MAX_POINTS + 5; i++) {
      history.add(Moment.between(totals, totals, i, 1));
    }
    assertThat(history.all()).hasSize(History.MAX_POINTS);
    assertThat(history.all().get(0).time()).isEqualTo(5);
  }
}
