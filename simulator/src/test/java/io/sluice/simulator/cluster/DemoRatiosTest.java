package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Simulates the demo: three nodes that share two cores, 200 closed-loop clients, half point reads,
 * half LIMIT 1 to 2,000, 100,000 rows of 1 KB, one replica. The cost of a row is set so that range
 * reads sent directly to Cassandra take as long as in reality. The ratios then are the simulator's
 * own. Real ratios are medians over runs of the demo on real nodes. Simulated ones are means over
 * three seeds, because the range reads of one seed take up to a third longer than those of another.
 *
 * <p>In reality, clients and proxy run on the same two cores, and they are not modelled. The less
 * work the nodes have, the larger is their part.
 */
class DemoRatiosTest {
  private static final double REAL_DIRECT_RANGE_MS = 1256;
  private static final double REAL_POINT = 0.047;
  private static final double REAL_RANGE = 0.52;
  private static final double REAL_THROUGHPUT = 2.40;

  /** With {@code split.shareScans: false}. */
  private static final double REAL_RANGE_APART = 0.90;

  private static final double REAL_THROUGHPUT_APART = 1.43;

  private static Means direct;
  private static Means sluice;
  private static Means apart;

  /** The means of several outcomes. */
  private record Means(double pointMs, double rangeMs, double throughput) {

    static Means of(ClusterSetting setting, Variant variant) {
      List<Outcome> outcomes =
          LongStream.rangeClosed(1, 3)
              .mapToObj(seed -> SmallCluster.run(setting.withSeed(seed), variant))
              .toList();
      return new Means(
          mean(outcomes, outcome -> outcome.point().meanMs()),
          mean(outcomes, outcome -> outcome.range().meanMs()),
          mean(outcomes, Outcome::throughput));
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
      return outcomes.stream().mapToDouble(figure).average().orElseThrow();
    }
  }

  @BeforeAll
  static void simulate() {
    ClusterSetting setting =
        new ClusterSetting(
            new Hardware(3, 2, 32, 50, true, 0.01),
            new Data(1, 1, 33_333, 0, 0),
            new Costs(300, 11, 1000, 0.3),
            new Load(200, 0, 0.5, 2000, 0),
            1,
            List.of(),
            List.of(),
            10,
            15,
            1);
    direct = Means.of(setting, Variant.STOCK);
    sluice = Means.of(setting, Variant.SLUICE);
    apart = Means.of(setting, Variant.SLUICE_APART);
  }

  private static double range(Means outcome) {
    return outcome.rangeMs() / direct.rangeMs();
  }

  private static double throughput(Means outcome) {
    return outcome.throughput() / direct.throughput();
  }

  @Test
  void direct_range_reads_take_as_long_as_in_reality() {
    assertThat(direct.rangeMs() / REAL_DIRECT_RANGE_MS).isBetween(0.85, 1.15);
  }

  @Test
  void without_shared_scans_ratios_are_within_a_fifth_of_the_real_ones() {
    assertThat(range(apart) / REAL_RANGE_APART).isBetween(0.8, 1.2);
    assertThat(throughput(apart) / REAL_THROUGHPUT_APART).isBetween(0.8, 1.2);
  }

  @Test
  void with_shared_scans_ratios_are_up_to_two_thirds_better_than_in_reality() {
    assertThat(range(sluice) / REAL_RANGE).isBetween(0.6, 1.0);
    assertThat(throughput(sluice) / REAL_THROUGHPUT).isBetween(1.0, 1.67);
  }

  /**
   * In reality a point read takes about 15 ms here; the simulator accounts for one or two of them.
   */
  @Test
  void simulated_point_reads_are_far_faster_than_real_ones() {
    double point = sluice.pointMs() / direct.pointMs();
    assertThat(point / REAL_POINT).isBetween(0.01, 1.0);
  }
}
