package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The demo, simulated: three nodes that share two cores, 200 closed-loop clients, half point reads,
 * half LIMIT 1 to 2,000, 100,000 rows of 1 KB, one replica. What a row costs is set so that range
 * reads straight at Cassandra take as long as they really did; the ratios then are the simulator's
 * own. Real ones are medians over runs of the demo on real nodes.
 *
 * <p>Clients and proxy run on the same two cores there, and are not modelled. They weigh the more,
 * the less the nodes have to do.
 */
class DemoRatiosTest {
  private static final double REAL_DIRECT_RANGE_MS = 1256;
  private static final double REAL_POINT = 0.047;
  private static final double REAL_RANGE = 0.52;
  private static final double REAL_THROUGHPUT = 2.40;

  /** With {@code split.shareScans: false}. */
  private static final double REAL_RANGE_APART = 0.90;

  private static final double REAL_THROUGHPUT_APART = 1.43;

  private static Outcome direct;
  private static Outcome sluice;
  private static Outcome apart;

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
            10,
            20,
            1);
    direct = SmallCluster.run(setting, Variant.STOCK);
    sluice = SmallCluster.run(setting, Variant.SLUICE);
    apart = SmallCluster.run(setting, Variant.SLUICE_APART);
  }

  private static double range(Outcome outcome) {
    return outcome.range().meanMs() / direct.range().meanMs();
  }

  private static double throughput(Outcome outcome) {
    return outcome.throughput() / direct.throughput();
  }

  @Test
  void direct_range_reads_take_what_they_really_take() {
    assertThat(direct.range().meanMs() / REAL_DIRECT_RANGE_MS).isBetween(0.85, 1.15);
  }

  @Test
  void where_each_range_read_is_read_alone_ratios_are_within_a_fifth_of_the_real_ones() {
    assertThat(range(apart) / REAL_RANGE_APART).isBetween(0.8, 1.2);
    assertThat(throughput(apart) / REAL_THROUGHPUT_APART).isBetween(0.8, 1.2);
  }

  @Test
  void where_scans_are_shared_they_are_up_to_two_thirds_better_than_really() {
    assertThat(range(sluice) / REAL_RANGE).isBetween(0.6, 1.0);
    assertThat(throughput(sluice) / REAL_THROUGHPUT).isBetween(1.0, 1.67);
  }

  /** Really a point read takes some 15 ms here, of which the simulator shows one or two. */
  @Test
  void point_reads_come_out_far_better_than_they_really_are() {
    double point = sluice.point().meanMs() / direct.point().meanMs();
    assertThat(point / REAL_POINT).isBetween(0.01, 1.0);
  }
}
