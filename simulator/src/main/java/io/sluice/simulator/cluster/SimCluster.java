package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The nodes, the network between them, and the costs of reads. Not safe for several threads. */
final class SimCluster {
  private static final double NANOS_PER_MICRO = 1000;

  private final VirtualTime time;
  private final Layout layout;
  private final Meter meter;
  private final ClusterSetting.Costs costs;
  private final long networkNanos;
  private final double cores;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<Processor> processors = new ArrayList<>();
  private final SplittableRandom random;
  private final Timeouts points;
  private final Timeouts ranges;

  SimCluster(ClusterSetting setting, VirtualTime time, Layout layout, Meter meter, long seed) {
    this(setting, time, layout, meter, seed, false);
  }

  /** Creates a cluster; for {@code ordered} see {@link ReadStage}. */
  SimCluster(
      ClusterSetting setting,
      VirtualTime time,
      Layout layout,
      Meter meter,
      long seed,
      boolean ordered) {
    this.time = time;
    this.layout = layout;
    this.meter = meter;
    this.costs = setting.costs();
    this.networkNanos = (long) (setting.hardware().networkMicros() * NANOS_PER_MICRO);
    this.cores = setting.hardware().cores();
    this.random = new SplittableRandom(seed);
    this.points = new Timeouts(time, Timeouts.POINT);
    this.ranges = new Timeouts(time, Timeouts.RANGE);
    ClusterSetting.Hardware hardware = setting.hardware();
    for (int i = 0; i < hardware.nodes(); i++) {
      if (i == 0 || !hardware.shared()) {
        processors.add(new Processor(time, hardware.cores(), hardware.crowding()));
      }
      Processor processor = processors.get(processors.size() - 1);
      nodes.add(new SimNode(time, processor, hardware.readThreads(), ordered));
    }
  }

  VirtualTime time() {
    return time;
  }

  Layout layout() {
    return layout;
  }

  Meter meter() {
    return meter;
  }

  SimNode node(int number) {
    return nodes.get(number);
  }

  /** Returns the cores of each node, or of the machine that they share. */
  double cores() {
    return cores;
  }

  int size() {
    return nodes.size();
  }

  Timeouts timeouts(Read read) {
    return read.point() ? points : ranges;
  }

  /** Delivers a message to another machine. */
  void send(Runnable message) {
    time.after(networkNanos, message);
  }

  /** Returns the cost of one read of {@code rows}, ns of one core. */
  double workNanos(long rows) {
    double micros = costs.fixedMicros() + rows * costs.rowMicros();
    return micros * NANOS_PER_MICRO * Math.exp(costs.noise() * random.nextGaussian());
  }

  /** Returns the size of an answer. */
  long bytes(long rows) {
    return rows * costs.rowBytes();
  }

  /** Returns a random node of those that are up; −1 if none is. */
  int anyUp(List<Integer> among) {
    int up = 0;
    for (int node : among) {
      up += nodes.get(node).isUp() ? 1 : 0;
    }
    int chosen = up == 0 ? -1 : random.nextInt(up);
    for (int node : among) {
      if (nodes.get(node).isUp() && chosen-- == 0) {
        return node;
      }
    }
    return -1;
  }

  /** Returns the core time used since the beginning, ns. */
  double busyNanos() {
    return processors.stream().mapToDouble(Processor::busyNanos).sum();
  }
}
