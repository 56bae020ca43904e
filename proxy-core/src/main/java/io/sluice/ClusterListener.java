package io.sluice;

import io.sluice.decide.predict.Densities;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.exchange.NodeHealth;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ShadowMeters;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.watch.AgentReport;
import io.sluice.watch.ClusterView;
import io.sluice.watch.NodeAgent;
import io.sluice.watch.NodePools;
import io.sluice.watch.WatchListener;
import io.sluice.wire.SchemaChange;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of the cluster watcher to the scheduler, the health of nodes, the metrics and
 * the clients.
 */
record ClusterListener(
    Scheduler scheduler,
    NodeHealth health,
    NodeMeters meters,
    ShadowMeters shadowMeters,
    ProxyMeters proxyMeters,
    EventHub events,
    Densities densities)
    implements WatchListener {

  @Override
  public void changed(ClusterView view) {
    scheduler.nodes(view.ring().local().stream().map(node -> limits(view, node.id())).toList());
    health.changed(view.ring());
    meters.changed(view.ring());
    shadowMeters.changed(view.ring());
    proxyMeters.changed(view.ring());
  }

  /**
   * Returns the limits of a node. K depends on the agent, because in a stock node reads beyond
   * {@code concurrent_reads} would wait without order.
   */
  static NodeLimits limits(ClusterView view, NodeId node) {
    NodePools pools = view.pools(node);
    return view.agent(node) == NodeAgent.ORDERS
        ? NodeLimits.ofOrdered(node, pools.concurrentReads(), pools.requestThreads())
        : new NodeLimits(node, pools.concurrentReads());
  }

  @Override
  public void schemaChanged(SchemaChange change) {
    events.schemaChanged(change);
  }

  @Override
  public void estimated(Estimates estimates) {
    densities.published(estimates);
  }

  @Override
  public void agentReported(NodeId node, @Nullable AgentReport report) {
    meters.reported(node, report);
  }
}
