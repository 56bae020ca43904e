package io.sluice.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.meter.MetersByNode.Registrar;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The queues and the requests in flight of each node, as meters that come and go with the nodes.
 * Thread-safe.
 */
public final class NodeMeters {

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private final MetersByNode<NodeState> meters;

  public NodeMeters(MeterRegistry registry, Scheduler scheduler) {
    meters = new MetersByNode<>(registry, node -> state(scheduler, node), NodeMeters::register);
  }

  private static @Nullable NodeState state(Scheduler scheduler, NodeId node) {
    for (NodeState state : scheduler.snapshot().nodes()) {
      if (state.node().equals(node)) {
        return state;
      }
    }
    return null;
  }

  /** Follows the nodes of the local data centre. */
  public void changed(Ring ring) {
    meters.changed(ring);
  }

  private static void register(Registrar<NodeState> node) {
    node.gauge(
        "sluice.node.backlog.seconds",
        "How long what waits and runs at this node will take at its measured speed",
        state -> state.backlogMicros() / MICROS);
    node.gauge(
        "sluice.node.suspect",
        "1 while this node is believed not to answer",
        state -> state.suspect() ? 1 : 0);
    for (PriorityClass each : PriorityClass.values()) {
      register(node.and("class", each.name().toLowerCase(Locale.ROOT)), each);
    }
  }

  private static void register(Registrar<NodeState> node, PriorityClass of) {
    node.gauge(
        "sluice.limit",
        "Reads that may run at this node at once",
        state -> of == PriorityClass.RANGE ? state.rangeSlots() : state.slots());
    node.gauge("sluice.queued", "Reads that wait for their turn", state -> of(state, of).queued());
    node.gauge("sluice.in.flight", "Reads that a node works on", state -> of(state, of).inFlight());
    node.counter("sluice.dispatched", "Reads sent", state -> of(state, of).dispatched());
    node.counter(
        "sluice.queue.wait.seconds",
        "Time that sent reads had waited, summed",
        state -> of(state, of).waitNanos() / NANOS);
    node.counter(
        "sluice.overloaded",
        "Reads that ended with an overload answer or a time-out",
        state -> of(state, of).overloaded());
    node.counter(
        "sluice.shed", "Reads refused because of the backlog", state -> of(state, of).shed());
    node.counter(
        "sluice.expired",
        "Reads refused because their deadline could not be met any more",
        state -> of(state, of).expired());
  }

  private static ClassState of(NodeState state, PriorityClass of) {
    return of == PriorityClass.POINT ? state.point() : state.range();
  }
}
