package io.sluice;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.watch.AgentReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What Sluice's agents in nodes report, as meters that come and go with the nodes; 0 for a node
 * without one. Thread-safe.
 */
final class AgentMeters {

  private final MeterRegistry registry;
  private final Map<NodeId, AgentReport> reports = new ConcurrentHashMap<>();
  private final Map<NodeId, List<Meter>> byNode = new HashMap<>();

  AgentMeters(MeterRegistry registry) {
    this.registry = registry;
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
  synchronized void changed(Ring ring) {
    byNode.keySet().removeIf(node -> ring.node(node) == null && forget(node));
    for (Node node : ring.local()) {
      byNode.computeIfAbsent(node.id(), id -> register(node));
    }
  }

  private boolean forget(NodeId node) {
    byNode.getOrDefault(node, List.of()).forEach(registry::remove);
    reports.remove(node);
    return true;
  }

  private List<Meter> register(Node node) {
    NodeId id = node.id();
    Tags tags = Tags.of("node", node.address().getHostString() + ":" + node.address().getPort());
    return List.of(
        gauge("", "1 while this node has Sluice's agent", tags, id, report -> 1),
        gauge(
            ".enabled",
            "1 while the agent orders this node's reads",
            tags,
            id,
            report -> report.enabled() ? 1 : 0),
        queued("local_point", tags, id, AgentReport::queuedLocalPoints),
        queued("remote_point", tags, id, AgentReport::queuedRemotePoints),
        queued("range", tags, id, AgentReport::queuedRanges),
        counter(
            ".overtakes",
            "Reads that were started although an older one waited",
            tags,
            id,
            AgentReport::overtakes),
        counter(
            ".aged",
            "Reads that were started before their turn because they had waited too long",
            tags,
            id,
            AgentReport::aged),
        counter(
            ".unknown",
            "Reads that the agent could not tell apart",
            tags,
            id,
            AgentReport::unknown),
        counter(
            ".widths.told",
            "Range reads whose width was told, by Sluice or by their coordinator",
            tags,
            id,
            AgentReport::widthsTold));
  }

  private Meter queued(String lane, Tags tags, NodeId node, ToDoubleFunction<AgentReport> value) {
    String what = "Reads that wait in this node's read stage";
    return gauge(".queued", what, tags.and("lane", lane), node, value);
  }

  private Meter gauge(
      String name, String what, Tags tags, NodeId node, ToDoubleFunction<AgentReport> value) {
    return Gauge.builder("sluice.node.agent" + name, reports, from -> read(from, node, value))
        .description(what)
        .tags(tags)
        .register(registry);
  }

  private Meter counter(
      String name, String what, Tags tags, NodeId node, ToDoubleFunction<AgentReport> value) {
    return FunctionCounter.builder(
            "sluice.node.agent" + name, reports, from -> read(from, node, value))
        .description(what)
        .tags(tags)
        .register(registry);
  }

  private static double read(
      Map<NodeId, AgentReport> from, NodeId node, ToDoubleFunction<AgentReport> value) {
    AgentReport report = from.get(node);
    return report == null ? 0 : value.applyAsDouble(report);
  }
}
