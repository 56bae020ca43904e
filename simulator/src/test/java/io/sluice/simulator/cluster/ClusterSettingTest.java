package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Death;
import io.sluice.simulator.cluster.ClusterSetting.Fault;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the limits of a setting, and the message that names the option of a value out of range. */
class ClusterSettingTest {
  private static final ClusterSetting SETTING = ClusterSetting.twelveNodes();

  private static void refused(String message, ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made).withMessage(message);
  }

  @Test
  void hardware_out_of_range_is_refused_by_the_options_name() {
    refused("--nodes: 1 to 1000", () -> new Hardware(0, 1, 1, 0, false, 0));
    refused("--nodes: 1 to 1000", () -> new Hardware(1001, 1, 1, 0, false, 0));
    refused("--cores: above 0", () -> new Hardware(1, 0, 1, 0, false, 0));
    refused("--read-threads: at least 1", () -> new Hardware(1, 1, 0, 0, false, 0));
    refused("--network-micros: at least 0", () -> new Hardware(1, 1, 1, -1, false, 0));
    refused("--crowding: at least 0", () -> new Hardware(1, 1, 1, 0, false, -0.1));
  }

  @Test
  void data_out_of_range_is_refused_by_the_options_name() {
    refused("--rf: at least 1", () -> new Data(0, 1, 1, 0, 0));
    refused("--vnodes: 1 to 256", () -> new Data(1, 0, 1, 0, 0));
    refused("--vnodes: 1 to 256", () -> new Data(1, 257, 1, 0, 0));
    refused("--rows-per-range: above 0", () -> new Data(1, 1, 0, 0, 0));
    refused("--unevenness: 0 to 3", () -> new Data(1, 1, 1, 3.1, 0));
    refused("--estimate-error: 0 to 3", () -> new Data(1, 1, 1, 0, -1));
  }

  @Test
  void costs_out_of_range_are_refused_by_the_options_name() {
    refused("--fixed-micros, --row-micros: above 0", () -> new Costs(0, 1, 1, 0));
    refused("--fixed-micros, --row-micros: above 0", () -> new Costs(1, 0, 1, 0));
    refused("--noise: 0 to 2", () -> new Costs(1, 1, 1, 2.1));
  }

  @Test
  void a_load_out_of_range_is_refused_by_the_options_name() {
    refused("--clients: 0 to 1000000", () -> new Load(-1, 1, 0.5, 1, 0));
    refused("--rate: above 0 without --clients", () -> new Load(0, 0, 0.5, 1, 0));
    refused("--point-share: 0 to 1", () -> new Load(1, 0, 1.1, 1, 0));
    refused("--max-limit: at least 1", () -> new Load(1, 0, 0.5, 0, 0));
    refused("--min-limit: 1 to --max-limit", () -> new Load(1, 0, 0.5, 0, 2, 1, 0, 0, 0, 0));
    refused("--min-limit: 1 to --max-limit", () -> new Load(1, 0, 0.5, 3, 2, 1, 0, 0, 0, 0));
    refused("--tables: 1 to 100000", () -> new Load(1, 0, 0.5, 1, 2, 0, 0, 0, 0, 0));
    refused("--tables: 1 to 100000", () -> new Load(1, 0, 0.5, 1, 2, 100_001, 0, 0, 0, 0));
    refused("--skew: 0 to 2", () -> new Load(1, 0, 0.5, 1, 2.5));
    Load large = new Load(1, 0, 0.5, 10, 20, 1, 0, 0, 0, 0);
    refused("--small-share: 0 to 1", () -> large.withSmall(1.1, 5));
    String smallLimit = "--small-limit: 1 to below --min-limit, with --small-share only";
    refused(smallLimit, () -> large.withSmall(0.5, 0));
    refused(smallLimit, () -> large.withSmall(0.5, 10));
    refused(smallLimit, () -> large.withSmall(0, 5));
    assertThat(large.withSmall(0.5, 9).smallLimit()).isEqualTo(9);
  }

  /** NaN is in no range. */
  @Test
  void nan_is_refused() {
    refused("--cores: above 0", () -> new Hardware(1, Double.NaN, 1, 0, false, 0));
    refused("--noise: 0 to 2", () -> new Costs(1, 1, 1, Double.NaN));
    refused("--point-share: 0 to 1", () -> new Load(1, 0, Double.NaN, 1, 0));
  }

  @Test
  void contradicting_values_are_refused() {
    refused("--rf: at most --nodes", () -> SETTING.with(new Data(13, 1, 1, 0, 0)));
    refused("--proxies: 1 to 64", () -> SETTING.withProxies(0));
    refused("--proxies: 1 to 64", () -> SETTING.withProxies(65));
    refused(
        "--range-proxies: 0 to the number of --proxies",
        () -> SETTING.withProxies(3).with(SETTING.load().withRangeProxies(4)));
    refused(
        "--range-proxies: 0 to the number of --proxies",
        () -> SETTING.with(SETTING.load().withRangeProxies(-1)));
    refused("--warm-up: at least 0; --seconds: above 0", () -> SETTING.during(0, 0));
    refused("--warm-up: at least 0; --seconds: above 0", () -> SETTING.during(-1, 1));
    refused(
        "--slow, --down: there is no node 13",
        () -> SETTING.withFaults(List.of(new Fault(13, 0, 1, 2))));
  }

  @Test
  void a_fault_needs_a_node_a_speed_and_a_time_that_ends_after_it_began() {
    String message =
        "--slow, --down: a node from 1, a speed from 0 to 1, and a time that ends after it began";
    refused(message, () -> new Fault(0, 0.5, 0, 1));
    refused(message, () -> new Fault(1, -0.1, 0, 1));
    refused(message, () -> new Fault(1, 1.1, 0, 1));
    refused(message, () -> new Fault(1, Double.NaN, 0, 1));
    refused(message, () -> new Fault(1, 0.5, 1, 1));
    refused(message, () -> new Fault(1, 0.5, -1, 1));
  }

  @Test
  void each_with_method_changes_one_value() {
    Hardware hardware = new Hardware(20, 1, 1, 1, true, 1);
    Data data = new Data(1, 2, 3, 1, 1);
    Costs costs = new Costs(1, 2, 3, 1);
    Load load = new Load(1, 0, 1, 1, 1);
    List<Fault> faults = List.of(new Fault(1, 0, 0, 1));
    List<Death> deaths = List.of(new Death(1, 2, 3));

    ClusterSetting changed =
        SETTING
            .with(hardware)
            .with(data)
            .with(costs)
            .with(load)
            .withProxies(3)
            .withFaults(faults)
            .withDeaths(deaths)
            .during(7, 8)
            .withSeed(9);

    assertThat(changed)
        .isEqualTo(new ClusterSetting(hardware, data, costs, load, 3, faults, deaths, 7, 8, 9));
    assertThat(SETTING.with(load).hardware()).isEqualTo(SETTING.hardware());
  }

  @Test
  void a_setting_copies_its_list_of_faults() {
    List<Fault> faults = new ArrayList<>(List.of(new Fault(1, 0, 0, 1)));
    ClusterSetting setting = SETTING.withFaults(faults);

    faults.clear();

    assertThat(setting.faults()).hasSize(1);
  }
}
