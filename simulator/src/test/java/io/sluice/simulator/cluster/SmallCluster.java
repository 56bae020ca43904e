package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.List;

/**
 * A setting that takes a moment to simulate: four nodes of two cores, 80 clients, half point reads.
 */
final class SmallCluster {
  static final Hardware HARDWARE = new Hardware(4, 2, 32, 100, false, 0);
  static final Load LOAD = new Load(80, 0, 0.5, 1000, 0);

  private SmallCluster() {}

  static ClusterSetting setting(int rf) {
    return new ClusterSetting(
        HARDWARE,
        new Data(rf, 4, 100, 0, 0),
        new Costs(200, 10, 1000, 0.3),
        LOAD,
        1,
        List.of(),
        List.of(),
        1,
        4,
        1);
  }

  static Outcome run(ClusterSetting setting, Variant variant) {
    return new ClusterSimulation(setting, variant).run(share -> {});
  }
}
