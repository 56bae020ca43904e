package io.sluice;

import io.sluice.decide.predict.Densities;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.exchange.NodeHealth;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ShadowMeters;
import io.sluice.ring.Estimates;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.watch.AgentReport;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.watch.NodePools;
import io.sluice.watch.NodeTimeouts;
import io.sluice.watch.WatchListener;
import io.sluice.wire.SchemaChange;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the events of the cluster watcher to the scheduler, the health of nodes, the metrics and
 * the clients. Nodes of the local data centre have queues, and those of data centres that rules
 * name. A queue stays when no rule names its data centre any more, because reads may wait there.
 * Safe for any thread.
 */
final class ClusterListener implements WatchListener {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterListener.class);

  private final Scheduler scheduler;
  private final NodeHealth health;
  private final Meters meters;
  private final EventHub events;
  private final Densities densities;
  private final Set<String> scheduled = new HashSet<>();
  private Set<String> named = Set.of();
  private Set<String> unknown = Set.of();
  private @Nullable ClusterView latest;

  /** The metrics by node. */
  record Meters(NodeMeters nodes, ShadowMeters shadow, ProxyMeters proxy) {

    private void changed(Ring ring) {
      nodes.changed(ring);
      shadow.changed(ring);
      proxy.changed(ring);
    }
  }

  /**
   * Creates a listener.
   *
   * @param datacenters the data centres that rules name
   */
  ClusterListener(
      Scheduler scheduler,
      NodeHealth health,
      Meters meters,
      EventHub events,
      Densities densities,
      Collection<String> datacenters) {
    this.scheduler = scheduler;
    this.health = health;
    this.meters = meters;
    this.events = events;
    this.densities = densities;
    name(datacenters);
  }

  /** Opens queues for the nodes of data centres that new rules name. Called before these apply. */
  synchronized void name(Collection<String> datacenters) {
    named = Set.copyOf(datacenters);
    boolean more = scheduled.addAll(named);
    ClusterView view = latest;
    if (view != null && more) {
      apply(view);
    }
  }

  /** Opens queues for nodes that join. Queues of nodes that leave stay until the change. */
  @Override
  public synchronized void coming(ClusterView next) {
    ClusterView before = latest;
    if (before != null) {
      Map<NodeId, NodeLimits> all = limits(next);
      Map<NodeId, NodeLimits> known = limits(before);
      if (!known.keySet().containsAll(all.keySet())) {
        all.putAll(known);
        scheduler.nodes(all.values());
      }
    }
  }

  @Override
  public synchronized void changed(ClusterView view) {
    latest = view;
    apply(view);
  }

  private void apply(ClusterView view) {
    Ring ring = view.ring().scheduling(scheduled);
    scheduler.nodes(limits(view).values());
    NodeTimeouts timeouts = view.timeouts();
    if (timeouts != null) {
      scheduler.nodeTimeouts(timeouts.read(), timeouts.range());
    }
    health.changed(ring);
    meters.changed(ring);
    Set<String> missing = new TreeSet<>(named);
    missing.removeAll(ring.datacenters());
    if (!missing.equals(unknown)) {
      unknown = missing;
      warn(ring);
    }
  }

  private void warn(Ring ring) {
    if (!unknown.isEmpty()) {
      LOG.warn(
          "Rules send requests to data centres that the cluster does not have: {}. It has {}",
          String.join(", ", unknown),
          String.join(", ", ring.datacenters()));
    }
  }

  /** Returns the limits of the nodes that have queues. */
  private Map<NodeId, NodeLimits> limits(ClusterView view) {
    Map<NodeId, NodeLimits> limits = new LinkedHashMap<>();
    for (Node node : view.ring().scheduling(scheduled).scheduled()) {
      limits.put(node.id(), limits(view, node.id()));
    }
    return limits;
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
    meters.nodes().reported(node, report);
  }
}
