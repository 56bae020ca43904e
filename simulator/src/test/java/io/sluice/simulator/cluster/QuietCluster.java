package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.event.VirtualTime;
import java.util.SplittableRandom;

/**
 * Nodes without clients. A test sends each read itself. A read of n rows takes 100 + n µs of one
 * core, without noise, and the network 10 µs each way.
 */
final class QuietCluster {
  static final long MICRO = 1000;
  static final long NETWORK = 10 * MICRO;
  static final long FIXED = 100 * MICRO;

  final VirtualTime time = new VirtualTime();
  final ClusterSetting setting;
  final Layout layout;
  final Meter meter;
  final SimCluster cluster;

  QuietCluster(int nodes, Data data, long seed) {
    this(
        ClusterSetting.twelveNodes()
            .with(new Data(1, 1, 1, 0, 0))
            .with(new Hardware(nodes, 8, 32, 10, false, 0))
            .with(data)
            .with(new Costs(100, 1, 100, 0))
            .withSeed(seed));
  }

  QuietCluster(ClusterSetting setting) {
    this.setting = setting;
    this.layout =
        new Layout(
            setting.hardware().nodes(), setting.data(), new SplittableRandom(setting.seed()));
    this.meter = new Meter(time, 0, Long.MAX_VALUE, 0);
    this.cluster = new SimCluster(setting, time, layout, meter, setting.seed());
  }

  /** Returns the core time of a read of {@code rows} rows, ns. */
  static long work(long rows) {
    return FIXED + rows * MICRO;
  }

  /** Sends a read at once. */
  Answers send(Target target, Read read) {
    Answers answers = new Answers(time);
    target.send(0, read, answers);
    return answers;
  }

  /** Lets this time pass. */
  void pass(long nanos) {
    time.runUntil(time.nanoTime() + nanos);
  }

  /** Takes a node down or up. Clients notice at once. */
  void up(int node, boolean up, Target target) {
    cluster.node(node).up(up);
    target.nodeChanged(node, up);
  }
}
