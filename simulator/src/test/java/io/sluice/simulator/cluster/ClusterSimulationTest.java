package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.cluster.ClusterSetting.Fault;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a run of one setting: its progress, its figures and its faults. */
class ClusterSimulationTest {
  private static final ClusterSetting SETTING =
      SmallCluster.setting(2).with(new Load(0, 200, 1, 10, 0)).during(0.5, 2);

  @Test
  void progress_goes_from_one_percent_to_all() {
    List<Double> shares = new ArrayList<>();

    new ClusterSimulation(SETTING, Variant.STOCK).run(shares::add);

    assertThat(shares).hasSize(100).isSorted().startsWith(0.01).endsWith(1.0);
  }

  @Test
  void an_outcome_names_its_variant_and_the_number_of_proxies() {
    assertThat(SmallCluster.run(SETTING.withProxies(3), Variant.SLUICE).proxies()).isEqualTo(3);
    assertThat(SmallCluster.run(SETTING.withProxies(3), Variant.STOCK).proxies()).isZero();
    assertThat(SmallCluster.run(SETTING, Variant.STOCK).variant()).isEqualTo(Variant.STOCK);
  }

  /** 200 reads a second of 210 µs and some noise, on 8 cores. */
  @Test
  void utilisation_is_work_over_all_cores() {
    Outcome outcome = SmallCluster.run(SETTING, Variant.STOCK);

    assertThat(outcome.utilisation()).isCloseTo(200 * 210e-6 / 8, within(0.001));
    assertThat(outcome.throughput()).isCloseTo(200, within(20.0));
  }

  @Test
  void a_node_that_stays_down_fails_reads_of_rows_without_another_replica() {
    ClusterSetting one = SmallCluster.setting(1).with(SETTING.load()).during(0.5, 2);
    Outcome outcome =
        SmallCluster.run(one.withFaults(List.of(new Fault(1, 0, 0, 1e9))), Variant.SLUICE);

    assertThat(outcome.point().failures()).containsOnlyKeys(Failure.UNAVAILABLE);
    double all = outcome.point().count() + outcome.point().failed();
    assertThat(outcome.point().failed() / all).isCloseTo(0.25, within(0.1));
  }

  @Test
  void a_node_that_comes_back_serves_again() {
    ClusterSetting one = SmallCluster.setting(1).with(SETTING.load()).during(1, 2);
    Fault early = new Fault(1, 0, 0.1, 0.5);

    Outcome outcome = SmallCluster.run(one.withFaults(List.of(early)), Variant.STOCK);

    assertThat(outcome.point().failed()).isZero();
  }

  @Test
  void a_slow_node_takes_longer_while_the_fault_lasts() {
    Outcome whole = SmallCluster.run(SETTING, Variant.STOCK);
    List<Fault> always = List.of(new Fault(1, 0.1, 0, 100));
    List<Fault> before = List.of(new Fault(1, 0.1, 0, 0.4));

    Outcome slow = SmallCluster.run(SETTING.withFaults(always), Variant.STOCK);
    Outcome over = SmallCluster.run(SETTING.withFaults(before), Variant.STOCK);

    assertThat(slow.point().maxMs()).isGreaterThan(3 * whole.point().maxMs());
    assertThat(over.point().maxMs()).isLessThan(2 * whole.point().maxMs());
  }
}
