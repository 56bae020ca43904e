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
 * half LIMIT 1 to 2,000, 100,000 rows of 1 KB, one replica. What a row costs is set so that clients
 * straight at Cassandra wait as long as they really did (point 1,074 ms, range 2,780 ms); the
 * ratios then are the simulator's own. Real ones are medians of the demo on real nodes.
 */
class DemoRatiosTest {
  private static final double REAL_POINT = 0.05;
  private static final double REAL_RANGE = 0.90;
  private static final double REAL_THROUGHPUT = 1.43;

  private static Outcome direct;
  private static Outcome sluice;

  @BeforeAll
  static void simulate() {
    ClusterSetting setting =
        new ClusterSetting(
            new Hardware(3, 2, 32, 50, true, 0.01),
            new Data(1, 1, 33_333, 0, 0),
            new Costs(300, 25, 1000, 0.3),
            new Load(200, 0, 0.5, 2000, 0),
            1,
            List.of(),
            10,
            20,
            1);
    direct = SmallCluster.run(setting, Variant.STOCK);
    sluice = SmallCluster.run(setting, Variant.SLUICE);
  }

  @Test
  void direct_responses_are_those_measured() {
    assertThat(direct.point().meanMs()).isBetween(0.85 * 1074, 1.15 * 1074);
    assertThat(direct.range().meanMs()).isBetween(0.85 * 2780, 1.15 * 2780);
  }

  @Test
  void range_reads_and_throughput_come_out_within_a_fifth_of_the_real_ratios() {
    double range = sluice.range().meanMs() / direct.range().meanMs();
    double throughput = sluice.throughput() / direct.throughput();
    assertThat(range / REAL_RANGE)
        .as("range %.3f, really %.3f", range, REAL_RANGE)
        .isBetween(0.8, 1.2);
    assertThat(throughput / REAL_THROUGHPUT)
        .as("throughput %.3f, really %.3f", throughput, REAL_THROUGHPUT)
        .isBetween(0.8, 1.2);
  }

  /**
   * Really a point read takes some 50 ms here, of which the simulator shows one or two: clients and
   * proxy run on the same two cores and are not modelled. So its ratio is a lower bound.
   */
  @Test
  void point_reads_come_out_far_better_than_they_really_are() {
    double point = sluice.point().meanMs() / direct.point().meanMs();
    assertThat(point)
        .as("point %.4f, really %.3f", point, REAL_POINT)
        .isBetween(0.01 * REAL_POINT, REAL_POINT);
  }
}
