package io.sluice.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.meter.MetersByNode.Registrar;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.watch.AgentReport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The reports of Sluice's agents in nodes, as meters that come and go with the nodes; 0 for a node
 * without one. Safe for any thread.
 */
final class AgentMeters {

  private static final String PREFIX = "sluice.node.agent";

  private final Map<NodeId, AgentReport> reports = new ConcurrentHashMap<>();
  private final MetersByNode<AgentReport> meters;

  AgentMeters(MeterRegistry registry) {
    meters = new MetersByNode<>(registry, reports::get, AgentMeters::register);
  }

  /** A node's newest report; null when it has no agent any more. */
  void reported(NodeId node, @Nullable AgentReport report) {
    if (report == null) {
      reports.remove(node);
    } else {
      reports.put(node, report);
    }
  }

  /** Follows the nodes of the local data centre. */
  void changed(Ring ring) {
    reports.keySet().removeIf(node -> ring.node(node) == null);
    meters.changed(ring);
  }

  private static void register(Registrar<AgentReport> node) {
    node.gauge(PREFIX, "1 while this node has Sluice's agent", report -> 1);
    node.gauge(
        PREFIX + ".enabled",
        "1 while the agent orders this node's reads",
        report -> report.enabled() ? 1 : 0);
    String waits = "Reads that wait in this node's read stage";
    String queued = PREFIX + ".queued";
    node.and("lane", "local_point").gauge(queued, waits, AgentReport::queuedLocalPoints);
    node.and("lane", "remote_point").gauge(queued, waits, AgentReport::queuedRemotePoints);
    node.and("lane", "range").gauge(queued, waits, AgentReport::queuedRanges);
    node.counter(
        PREFIX + ".overtakes",
        "Reads that were started although an older one waited",
        AgentReport::overtakes);
    node.counter(
        PREFIX + ".aged",
        "Reads that were started before their turn because they had waited too long",
        AgentReport::aged);
    node.counter(
        PREFIX + ".unknown", "Reads that the agent could not tell apart", AgentReport::unknown);
    node.counter(
        PREFIX + ".widths.told",
        "Range reads whose width was told, by Sluice or by their coordinator",
        AgentReport::widthsTold);
  }
}
