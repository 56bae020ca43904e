package io.sluice.simulator.cluster;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.SchedulingConfig;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Detects range reads that start ahead of one which they arrived too late to pass. It computes
 * independently the latest virtual deadline of a query, {@code arrival + min(100 · work, T_age)}.
 * Not safe for several threads.
 */
final class OvertakeWatch {
  private static final double MAX_TRUST = 100;
  private static final double NANOS_PER_MICRO = 1000;

  private final SimCluster cluster;
  private final @Nullable SchedulingConfig config;
  private final long[] latestArrivals;

  /**
   * Creates a watch of one proxy. It watches nothing without {@code config}, where the order has no
   * such bound.
   */
  OvertakeWatch(SimCluster cluster, @Nullable SchedulingConfig config) {
    this.cluster = cluster;
    this.config = config;
    this.latestArrivals = new long[cluster.size()];
    Arrays.fill(latestArrivals, Long.MIN_VALUE);
  }

  /** Returns the latest time until which others may pass a query that has just arrived. */
  long passableUntil(Query query) {
    if (config == null) {
      return Long.MAX_VALUE;
    }
    double aged = config.ageing() * config.timeout(PriorityClass.RANGE).toNanos();
    double patience = MAX_TRUST * query.remainingMicros() * NANOS_PER_MICRO;
    return query.arrivalNanos() + (long) Math.min(patience, aged);
  }

  /**
   * Checks a sub-request that starts at the node where it has been queued.
   *
   * @param queued when it was queued
   */
  void started(int node, Query query, long passableUntil, long queued) {
    if (latestArrivals[node] > Math.max(passableUntil, queued)) {
      cluster.meter().lateOvertake();
    }
    latestArrivals[node] = Math.max(latestArrivals[node], query.arrivalNanos());
  }
}
