package io.sluice.simulator.cluster;

import org.junit.jupiter.api.Test;

class TryTest {
  @Test
  void go() {
    ClusterSetting s = ClusterSetting.twelveNodes().during(4, 6);
    for (Variant v : Variant.values()) {
      long t = System.nanoTime();
      Outcome o = new ClusterSimulation(s, v).run(x -> {});
      double secs = (System.nanoTime() - t) / 1e9;
      System.out.printf(
          "OUT %-12s point %8.2f p99 %8.2f  range %8.2f p99 %8.2f max %8.1f  thr %8.0f over %.4f util %.3f kr %.1f late %d sub %d (%.0f/s) fail %s %s%n",
          v.label(), o.point().meanMs(), o.point().p99Ms(), o.range().meanMs(), o.range().p99Ms(), o.range().maxMs(),
          o.throughput(), o.overFetch(), o.utilisation(), o.rangeSlots(), o.lateOvertakes(), o.subRequests(), o.subRequests() / secs, o.point().failures(), o.range().failures());
    }
  }
}
