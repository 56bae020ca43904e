package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The estimate of the mode observe, held against what the same clients meet when the scheduler
 * enforces: four nodes of two cores that do about 2,850 reads a second at most.
 */
class ShadowErrorTest {
  private static final double MAX = 2850;
  private static final long PAUSE = 50_000_000;

  private static final Map<Simulated, Map<PriorityClass, Figures>> ENFORCED =
      new ConcurrentHashMap<>();
  private static final Map<Simulated, Estimated> ESTIMATED = new ConcurrentHashMap<>();

  private record Simulated(ClusterSetting setting, Variant variant) {}

  /** Figures of one class, in ms. */
  private record Figures(double p50, double p99, double waits, double refused) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "p50 %.1f p99 %.1f wait %.1f refused %.3f", p50, p99, waits, refused);
    }
  }

  private static ClusterSetting at(double share, double costs) {
    return SmallCluster.setting(2)
        .with(new Load(0, share * MAX / costs, 0.5, 1000, 0))
        .with(new Costs(200 * costs, 10 * costs, 1000, 0.3))
        .during(4, 12);
  }

  /** A cluster with one proxy, as it is after all of the time. */
  private static SimCluster run(
      ClusterSetting setting, Variant variant, Function<SimCluster, Scheduler> made) {
    SplittableRandom random = new SplittableRandom(setting.seed());
    VirtualTime time = new VirtualTime();
    long from = (long) (setting.warmUpSeconds() * 1e9);
    long to = from + (long) (setting.seconds() * 1e9);
    Meter meter = new Meter(time, from, to, 0);
    Layout layout = new Layout(setting.hardware().nodes(), setting.data(), random.split());
    SimCluster cluster = new SimCluster(setting, time, layout, meter, random.nextLong());
    Scheduler scheduler = made.apply(cluster);
    ProxyFleet fleet =
        new ProxyFleet(
            cluster,
            setting,
            variant,
            config -> new SimProxy(cluster, config, scheduler, 32, true));
    new Clients(cluster, fleet, setting.load(), random.split()).start(random.split());
    time.runUntil(to);
    return cluster;
  }

  /** Returns the times of clients and the waits at nodes with the scheduler, simulated once. */
  private static Map<PriorityClass, Figures> enforced(ClusterSetting setting, Variant variant) {
    return ENFORCED.computeIfAbsent(
        new Simulated(setting, variant), each -> simulate(setting, variant));
  }

  private static Map<PriorityClass, Figures> simulate(ClusterSetting setting, Variant variant) {
    List<Scheduler> kept = new ArrayList<>();
    SchedulingConfig config = SchedulingConfig.defaults();
    SimCluster cluster =
        run(
            setting,
            variant,
            in -> {
              kept.add(new Scheduler(config, in.time()));
              return kept.get(0);
            });
    Map<PriorityClass, Figures> all = new EnumMap<>(PriorityClass.class);
    for (PriorityClass of : PriorityClass.values()) {
      boolean point = of == PriorityClass.POINT;
      ReadFigures seen = point ? cluster.meter().points() : cluster.meter().ranges();
      double waited = 0;
      double started = 0;
      double refused = 0;
      for (NodeState node : kept.get(0).snapshot().nodes()) {
        ClassState state = point ? node.point() : node.range();
        waited += state.waitNanos() / 1e6;
        started += state.dispatched();
        refused += state.shed() + state.expired();
      }
      all.put(
          of,
          new Figures(seen.p50Ms(), seen.p99Ms(), waited / started, refused / (refused + started)));
    }
    return all;
  }

  /** The estimates of these, where the scheduler only observes. */
  private static final class Estimated implements ShadowListener {
    private final Map<PriorityClass, Histogram> took = new EnumMap<>(PriorityClass.class);
    private final Map<PriorityClass, Histogram> now = new EnumMap<>(PriorityClass.class);
    private final Map<PriorityClass, double[]> sums = new EnumMap<>(PriorityClass.class);
    private long from;

    /** Returns the estimates for a setting, simulated once. */
    static Estimated of(ClusterSetting setting, Variant variant) {
      return ESTIMATED.computeIfAbsent(
          new Simulated(setting, variant), each -> simulate(setting, variant));
    }

    private static Estimated simulate(ClusterSetting setting, Variant variant) {
      Estimated figures = new Estimated();
      for (PriorityClass each : PriorityClass.values()) {
        figures.took.put(each, new Histogram(3));
        figures.now.put(each, new Histogram(3));
        figures.sums.put(each, new double[3]);
      }
      figures.from = (long) (setting.warmUpSeconds() * 1e9);
      SchedulingConfig config = SchedulingConfig.defaults().in(Mode.OBSERVE);
      run(
          setting,
          variant,
          in -> {
            Shadow shadow = new Shadow(config, in.time(), figures);
            every(in.time(), shadow);
            return new Scheduler(config, in.time(), shadow);
          });
      return figures;
    }

    private static void every(VirtualTime time, Shadow shadow) {
      time.after(
          PAUSE,
          () -> {
            shadow.run();
            every(time, shadow);
          });
    }

    @Override
    public void answered(NodeId node, PriorityClass of, long tookNanos, long at) {
      now.get(of).recordValue(at < from ? 0 : tookNanos / 1000);
    }

    @Override
    public void wouldAnswer(
        NodeId node, PriorityClass of, long waitedNanos, long tookNanos, long at) {
      if (at >= from) {
        // Clients see the network between them and the proxy as well: 100 µs each way.
        took.get(of).recordValue(tookNanos / 1000 + 200);
      }
      sums.get(of)[0] += waitedNanos / 1e6;
      sums.get(of)[1]++;
    }

    @Override
    public void wouldRefuse(NodeId node, PriorityClass of, Refusal.Reason reason, long at) {
      sums.get(of)[2]++;
    }

    Figures of(PriorityClass of) {
      double[] sum = sums.get(of);
      return new Figures(
          took.get(of).getValueAtPercentile(50) / 1e3,
          took.get(of).getValueAtPercentile(99) / 1e3,
          sum[0] / sum[1],
          sum[2] / (sum[1] + sum[2]));
    }

    double nowP99(PriorityClass of) {
      return now.get(of).getValueAtPercentile(99) / 1e3;
    }
  }

  /** Costs are those that the proxy guesses at first, a third of them, and three times as much. */
  @ParameterizedTest
  @CsvSource({"1,0.3", "1,0.6", "1,0.8", "1,0.95", "1,1.1", "0.33,0.9", "3,0.9", "3,1.1"})
  void is_small_for_point_reads(double costs, double share) {
    ClusterSetting setting = at(share, costs);
    Figures enforced = enforced(setting, Variant.SLUICE_APART).get(PriorityClass.POINT);
    Estimated all = Estimated.of(setting, Variant.SLUICE_APART);
    Figures estimated = all.of(PriorityClass.POINT);
    assertThat(estimated.p50() / enforced.p50()).as("median").isBetween(0.8, 1.4);
    assertThat(estimated.p99() / enforced.p99()).as("99th percentile").isBetween(0.6, 1.3);
    assertThat(estimated.refused()).isZero();
    if (share >= 0.95) {
      assertThat(all.nowP99(PriorityClass.POINT)).isGreaterThan(10 * estimated.p99());
    }
  }

  /** Where there is no order, all that is known of how long range reads wait is an estimate. */
  @ParameterizedTest
  @CsvSource({"1,0.8", "1,0.95", "0.33,0.9", "3,0.9"})
  void is_at_most_a_factor_of_two_for_the_wait_of_range_reads(double costs, double share) {
    ClusterSetting setting = at(share, costs);
    Figures enforced = enforced(setting, Variant.SLUICE_APART).get(PriorityClass.RANGE);
    Figures estimated = Estimated.of(setting, Variant.SLUICE_APART).of(PriorityClass.RANGE);
    assertThat(estimated.waits() / enforced.waits()).isBetween(0.5, 2.0);
    assertThat(estimated.p99() / enforced.p99()).isBetween(0.7, 1.3);
  }

  /** Nothing waits, so nothing is read together: the estimate is too high, never too low. */
  @Test
  void is_on_the_safe_side_where_the_scheduler_would_share_scans() {
    Figures enforced = enforced(at(0.95, 1), Variant.SLUICE).get(PriorityClass.RANGE);
    Figures estimated = Estimated.of(at(0.95, 1), Variant.SLUICE).of(PriorityClass.RANGE);
    assertThat(estimated.waits()).isGreaterThan(enforced.waits());
    assertThat(estimated.p99()).isGreaterThan(enforced.p99());
  }
}
