package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.shadow.Shadow;
import io.sluice.exchange.NodeHealth;
import io.sluice.meter.EstimateMeters;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ShadowMeters;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;

/**
 * The parts that follow the cluster while the proxy runs: the scheduler, the health of nodes, the
 * sizes of tables, and the meters of these. They exist before the cluster is connected.
 */
record ClusterState(
    NanoClock clock,
    Scheduler scheduler,
    Shadow shadow,
    ShadowMeters shadowMeters,
    ProxyMeters meters,
    NodeHealth health,
    EventHub events,
    Densities densities,
    ClusterListener listener) {

  /** Returns the state of a proxy that has not connected to its cluster. */
  static ClusterState initial(ProxyConfig config, MeterRegistry registry) {
    NanoClock clock = new SystemTime();
    ShadowMeters shadowMeters = new ShadowMeters(registry);
    Shadow shadow = new Shadow(config.scheduling(), clock, shadowMeters);
    shadowMeters.losses(shadow::lost);
    Scheduler scheduler = new Scheduler(config.scheduling(), clock, shadow);
    scheduler.requestTimeout(config.exchange().requestTimeout());
    NodeHealth health = new NodeHealth(scheduler::standing);
    ProxyMeters meters = new ProxyMeters(registry);
    EventHub events = new EventHub();
    Densities densities = new Densities(new EstimateMeters(registry), clock);
    ClusterListener listener =
        new ClusterListener(
            scheduler,
            health,
            new ClusterListener.Meters(
                new NodeMeters(registry, scheduler, clock), shadowMeters, meters),
            events,
            densities,
            Rules.datacenters(config.rules()));
    return new ClusterState(
        clock, scheduler, shadow, shadowMeters, meters, health, events, densities, listener);
  }
}
