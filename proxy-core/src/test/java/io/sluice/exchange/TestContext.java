package io.sluice.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.audit.AuditConfig;
import io.sluice.audit.AuditLog;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.link.Links;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
import io.sluice.time.TestLane;
import io.sluice.usage.Usage;
import io.sluice.watch.TestCluster;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The context of exchanges in a test, without rules, audit and traces.
 *
 * @param prepared the prepared statements
 * @param reader the reader of statements
 * @param proxy the context
 */
public record TestContext(PreparedCache prepared, StatementReader reader, ProxyContext proxy) {

  /**
   * Creates a context.
   *
   * @param registry gets the metrics of requests
   */
  public static TestContext of(
      AtomicReference<ExchangeConfig> settings,
      TestLane lane,
      Links links,
      TestCluster cluster,
      Scheduler scheduler,
      ScatterPlanner planner,
      MeterRegistry registry) {
    PreparedCache prepared = new PreparedCache(10, 1 << 20);
    StatementReader reader = new StatementReader(prepared, planner);
    NodeHealth health = new NodeHealth(scheduler::standing);
    SchemaHomes homes = new SchemaHomes(health);
    return new TestContext(
        prepared,
        reader,
        new ProxyContext(
            settings,
            lane,
            cluster,
            health,
            scheduler,
            new Dispatcher(links, prepared),
            new ResponseHandler(reader, cluster, new ProxyMeters(registry), homes),
            homes,
            new RunningRequests(),
            new Hedges(lane, new HedgeMeters(new SimpleMeterRegistry())),
            new Usage(10, lane),
            new Rules(List.of(), lane),
            new AuditLog(AuditConfig.off(), () -> Instant.EPOCH),
            null));
  }
}
