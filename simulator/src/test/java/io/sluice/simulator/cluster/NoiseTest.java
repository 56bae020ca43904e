package io.sluice.simulator.cluster;

import static io.sluice.simulator.cluster.SmallCluster.outcome;
import static io.sluice.simulator.cluster.SmallCluster.setting;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import io.sluice.simulator.cluster.Outcome.ReadFigures;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the proxy loses nothing where equal reads take very different times. */
class NoiseTest {

  /** Range reads only, each of 100 rows of one of these tables, without shared scans. */
  private static ReadFigures range(Variant variant, int tables, double noise) {
    ClusterSetting equalReads =
        setting(3)
            .with(new Hardware(3, 4, 32, 100, false, 0))
            .with(new Data(3, 1, 1000, 0, 0))
            .with(new Costs(3000, 20, 1000, noise))
            .with(new Load(80, 0, 0, 100, 100, tables, 0, 0, 0, 0))
            .during(5, 10);
    return outcome(equalReads, variant).range();
  }

  /** With a deviation of 1, every third read takes more than 2.7 times or less than 1 / 2.7. */
  @ParameterizedTest
  @CsvSource({"1,0.3", "1,1", "30,0.7", "1000,0.3", "1000,1"})
  void the_rate_and_the_longest_reads_are_not_worse_than_directly(int tables, double noise) {
    ReadFigures direct = range(Variant.STOCK, tables, noise);
    ReadFigures proxy = range(Variant.SLUICE_APART, tables, noise);

    assertThat(proxy.perSecond()).isGreaterThan(0.95 * direct.perSecond());
    assertThat(proxy.p99Ms()).isLessThan(direct.p99Ms());
    assertThat(proxy.failed()).isZero();
  }
}
