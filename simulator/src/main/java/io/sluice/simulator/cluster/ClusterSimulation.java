package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.ClusterSetting.Death;
import io.sluice.simulator.cluster.ClusterSetting.Fault;
import io.sluice.simulator.event.VirtualTime;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;

/**
 * Runs one setting under virtual time. The same setting and variant have the same outcome on every
 * machine, and every variant gets the same clients, rows and ring. Immutable; safe for any thread.
 *
 * @param setting the setting to simulate
 * @param variant the system between clients and nodes
 */
public record ClusterSimulation(ClusterSetting setting, Variant variant) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int STEPS = 100;

  /**
   * Runs the simulation.
   *
   * @param progress receives the finished share, 0 to 1, about a hundred times
   */
  public Outcome run(DoubleConsumer progress) {
    SplittableRandom random = new SplittableRandom(setting.seed());
    VirtualTime time = new VirtualTime();
    long from = (long) (setting.warmUpSeconds() * NANOS_PER_SECOND);
    long to = from + (long) (setting.seconds() * NANOS_PER_SECOND);
    Meter meter = new Meter(time, from, to, setting.load().smallLimit());
    Layout layout = new Layout(setting.hardware().nodes(), setting.data(), random.split());
    SimCluster cluster =
        new SimCluster(setting, time, layout, meter, random.nextLong(), variant.nodesOrder());
    Target target =
        variant == Variant.STOCK
            ? new StockCluster(cluster)
            : new ProxyFleet(cluster, setting, variant);
    if (variant != Variant.STOCK) {
      setting.deaths().forEach(death -> plan(death, time, meter, target));
    }
    setting.faults().forEach(fault -> plan(fault, cluster, target));
    new Clients(cluster, target, setting.load(), random.split()).start(random.split());
    time.runUntil(from);
    double busyBefore = cluster.busyNanos();
    for (int step = 1; step <= STEPS; step++) {
      time.runUntil(from + (to - from) / STEPS * step);
      progress.accept((double) step / STEPS);
    }
    return outcome(meter, target, (cluster.busyNanos() - busyBefore) / (to - from));
  }

  private Outcome outcome(Meter meter, Target target, double busyCores) {
    ClusterSetting.Hardware hardware = setting.hardware();
    double cores = hardware.cores() * (hardware.shared() ? 1 : hardware.nodes());
    return new Outcome(
        variant,
        variant == Variant.STOCK ? 0 : setting.proxies(),
        meter.points(),
        meter.ranges(),
        meter.smallRanges(),
        meter.overFetch(),
        busyCores / cores,
        target.rangeSlots(),
        meter.lateOvertakes(),
        meter.subRequests(),
        meter.backAfterSeconds());
  }

  private static void plan(Death death, VirtualTime time, Meter meter, Target target) {
    long at = (long) (death.atSeconds() * NANOS_PER_SECOND);
    int proxy = death.proxy() - 1;
    meter.disturbedAt(at);
    time.after(at, () -> target.proxyDies(proxy));
    long known = at + (long) (death.noticeSeconds() * NANOS_PER_SECOND);
    time.after(known, () -> target.deathIsKnown(proxy));
  }

  private static void plan(Fault fault, SimCluster cluster, Target target) {
    int number = fault.node() - 1;
    SimNode node = cluster.node(number);
    Runnable begin = () -> node.reads().speed(fault.speed());
    Runnable end = () -> node.reads().speed(1);
    if (fault.speed() == 0) {
      begin = () -> up(node, number, target, false);
      end = () -> up(node, number, target, true);
    }
    cluster.time().after((long) (fault.fromSeconds() * NANOS_PER_SECOND), begin);
    cluster.time().after((long) (fault.toSeconds() * NANOS_PER_SECOND), end);
  }

  private static void up(SimNode node, int number, Target target, boolean up) {
    node.up(up);
    target.nodeChanged(number, up);
  }
}
