package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.share.ShareRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Proxies that know nothing of each other; each client stays with one. Not safe for several
 * threads.
 */
final class ProxyFleet implements Target {

  /**
   * A proxy that knows a table well still finds a few rows more or fewer than it thought. No
   * deviation at all means to the planner that nothing was learned yet.
   */
  private static final double LEAST_DEVIATION = 0.01;

  /** What the proxy reads together at most, bytes. */
  private static final int MOST_TOGETHER = 8 << 20;

  /** Rows that a read carries for others however short it is: a few ms of work. */
  private static final int SPARE_ROWS = 500;

  private final List<ProxyRangeRead.Shared> proxies = new ArrayList<>();

  ProxyFleet(SimCluster cluster, ClusterSetting setting, Variant variant) {
    this(
        cluster,
        setting,
        variant,
        config ->
            new SimProxy(cluster, config, setting.hardware().readThreads(), variant.isSluice()));
  }

  /** The same with proxies that someone else looks at. */
  ProxyFleet(
      SimCluster cluster,
      ClusterSetting setting,
      Variant variant,
      Function<SchedulingConfig, SimProxy> made) {
    SchedulingConfig config = variant.scheduling(setting.hardware());
    double sigma = Math.max(LEAST_DEVIATION, setting.data().estimateError());
    RangeStatement statement = new RangeStatement(variant.split(), cluster.layout(), sigma);
    int mostRows = Math.max(1, MOST_TOGETHER / setting.costs().rowBytes());
    ShareRule rule =
        variant.split().shareScans() ? new ShareRule(cluster.layout(), mostRows, SPARE_ROWS) : null;
    for (int i = 0; i < setting.proxies(); i++) {
      proxies.add(new ProxyRangeRead.Shared(made.apply(config), statement, rule));
    }
  }

  @Override
  public void send(int client, Read read, Answer answer) {
    ProxyRangeRead.Shared proxy = proxies.get(client % proxies.size());
    if (read.point()) {
      new ProxyPointRead(proxy.proxy(), read, answer).start();
    } else {
      new ProxyRangeRead(proxy, read, answer).start();
    }
  }

  @Override
  public void nodeChanged(int node, boolean up) {
    proxies.forEach(each -> each.proxy().nodeChanged(node, up));
  }

  @Override
  public double rangeSlots() {
    return proxies.stream().mapToDouble(each -> each.proxy().rangeSlots()).average().orElse(0);
  }
}
