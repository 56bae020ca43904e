package io.sluice;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What waits and runs at each node, as meters that come and go with the nodes. Thread-safe. */
final class NodeMeters {

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private final MeterRegistry registry;
  private final Scheduler scheduler;
  private final Map<NodeId, List<Meter>> byNode = new HashMap<>();

  NodeMeters(MeterRegistry registry, Scheduler scheduler) {
    this.registry = registry;
    this.scheduler = scheduler;
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
    return true;
  }

  private List<Meter> register(Node node) {
    String address = node.address().getHostString() + ":" + node.address().getPort();
    List<Meter> meters = new ArrayList<>();
    Tags tags = Tags.of("node", address);
    meters.add(
        gauge(
            "sluice.node.backlog.seconds",
            "How long what waits and runs at this node will take at its measured speed",
            tags,
            node.id(),
            state -> state.backlogMicros() / MICROS));
    meters.add(
        gauge(
            "sluice.node.suspect",
            "1 while this node is believed not to answer",
            tags,
            node.id(),
            state -> state.suspect() ? 1 : 0));
    for (PriorityClass each : PriorityClass.values()) {
      register(node.id(), each, tags.and("class", each.name().toLowerCase(Locale.ROOT)), meters);
    }
    return meters;
  }

  private void register(NodeId node, PriorityClass of, Tags tags, List<Meter> meters) {
    meters.add(
        gauge(
            "sluice.limit",
            "Reads that may run at this node at once",
            tags,
            node,
            state -> of == PriorityClass.RANGE ? state.rangeSlots() : state.slots()));
    meters.add(
        gauge(
            "sluice.queued",
            "Reads that wait for their turn",
            tags,
            node,
            state -> of(state, of).queued()));
    meters.add(
        gauge(
            "sluice.in.flight",
            "Reads that a node works on",
            tags,
            node,
            state -> of(state, of).inFlight()));
    meters.add(
        counter(
            "sluice.dispatched", "Reads sent", tags, node, state -> of(state, of).dispatched()));
    meters.add(
        counter(
            "sluice.queue.wait.seconds",
            "Time that sent reads had waited, summed",
            tags,
            node,
            state -> of(state, of).waitNanos() / NANOS));
    meters.add(
        counter(
            "sluice.overloaded",
            "Reads that ended with an overload answer or a time-out",
            tags,
            node,
            state -> of(state, of).overloaded()));
    meters.add(
        counter(
            "sluice.shed",
            "Reads refused because of the backlog",
            tags,
            node,
            state -> of(state, of).shed()));
    meters.add(
        counter(
            "sluice.expired",
            "Reads refused because their deadline could not be met any more",
            tags,
            node,
            state -> of(state, of).expired()));
  }

  private static ClassState of(NodeState state, PriorityClass of) {
    return of == PriorityClass.POINT ? state.point() : state.range();
  }

  private Meter gauge(
      String name, String what, Tags tags, NodeId node, ToDoubleFunction<NodeState> value) {
    return Gauge.builder(name, scheduler, from -> read(from, node, value))
        .description(what)
        .tags(tags)
        .register(registry);
  }

  private Meter counter(
      String name, String what, Tags tags, NodeId node, ToDoubleFunction<NodeState> value) {
    return FunctionCounter.builder(name, scheduler, from -> read(from, node, value))
        .description(what)
        .tags(tags)
        .register(registry);
  }

  private static double read(Scheduler from, NodeId node, ToDoubleFunction<NodeState> value) {
    for (NodeState state : from.snapshot().nodes()) {
      if (state.node().equals(node)) {
        return value.applyAsDouble(state);
      }
    }
    return 0;
  }
}
