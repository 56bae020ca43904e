package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A setting that is quick to simulate: four nodes of two cores, 80 clients, half point reads. */
final class SmallCluster {
  static final Hardware HARDWARE = new Hardware(4, 2, 32, 100, false, 0);
  static final Load LOAD = new Load(80, 0, 0.5, 1000, 0);

  private static final Map<Simulated, Outcome> OUTCOMES = new ConcurrentHashMap<>();

  private SmallCluster() {}

  private record Simulated(ClusterSetting setting, Variant variant) {}

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

  /**
   * Returns the outcome of a setting. All tests of a JVM share one simulation of each setting,
   * because only the seed in the setting is random.
   */
  static Outcome outcome(ClusterSetting setting, Variant variant) {
    return OUTCOMES.computeIfAbsent(
        new Simulated(setting, variant), each -> run(each.setting(), each.variant()));
  }
}
