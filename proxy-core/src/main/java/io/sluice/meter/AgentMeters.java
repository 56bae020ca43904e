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
 * The meters of the node agents' reports, which come and go with the nodes; 0 for a node without an
 * agent. Safe for any thread.
 */
final class AgentMeters {

  private static final String PREFIX = "sluice.node.agent";

  private final Map<NodeId, AgentReport> reports = new ConcurrentHashMap<>();
  private final MetersByNode<AgentReport> meters;

  AgentMeters(MeterRegistry registry) {
    meters = new MetersByNode<>(registry, reports::get, AgentMeters::register);
  }

  /** Stores the newest report of a node; null when the node has no agent any more. */
  void reported(NodeId node, @Nullable AgentReport report) {
    if (report == null) {
      reports.remove(node);
    } else {
      reports.put(node, report);
    }
  }

  /** Updates the meters to the nodes that have queues, and to their addresses. */
  void changed(Ring ring) {
    reports.keySet().removeIf(node -> ring.node(node) == null);
    meters.changed(ring);
  }

  private static void register(Registrar<AgentReport> node) {
    node.gauge(PREFIX, "1 while this node has the node agent", report -> 1);
    node.gauge(
        PREFIX + ".enabled",
        "1 while the agent orders this node's reads",
        report -> report.enabled() ? 1 : 0);
    String waits = "Reads that wait in the node's read stage";
    String queued = PREFIX + ".queued";
    node.and("lane", "local_point").gauge(queued, waits, AgentReport::queuedLocalPoints);
    node.and("lane", "remote_point").gauge(queued, waits, AgentReport::queuedRemotePoints);
    node.and("lane", "range").gauge(queued, waits, AgentReport::queuedRanges);
    node.counter(
        PREFIX + ".overtakes",
        "Reads that were started before an older read",
        AgentReport::overtakes);
    node.counter(
        PREFIX + ".aged",
        "Reads that were started out of order because they had waited too long",
        AgentReport::aged);
    node.counter(
        PREFIX + ".unknown",
        "Reads whose class the agent could not determine",
        AgentReport::unknown);
    node.counter(
        PREFIX + ".widths.told",
        "Range reads whose width Sluice or the coordinator sent to the agent",
        AgentReport::widthsTold);
  }
}
