package io.sluice.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.meter.MetersByNode.Registrar;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.time.NanoClock;
import io.sluice.watch.AgentReport;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The reads that wait and run at each node, and what its agent reports, as meters that come and go
 * with the nodes. All meters of a node that are read within {@value #FRESH_MILLIS} ms show one
 * reading of its state, so that a scrape takes the lock of each node's queue once. Safe for any
 * thread.
 */
public final class NodeMeters {

  private static final long FRESH_MILLIS = 100;
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private final Scheduler scheduler;
  private final NanoClock clock;
  private final Map<NodeId, Reading> readings = new ConcurrentHashMap<>();
  private final MetersByNode<NodeState> meters;
  private final AgentMeters agents;

  /** A node's state, null when the scheduler does not know it, as it was at a time. */
  private record Reading(@Nullable NodeState state, long at) {}

  /** Registers nothing yet; {@code clock} says how old a reading is. */
  public NodeMeters(MeterRegistry registry, Scheduler scheduler, NanoClock clock) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.meters = new MetersByNode<>(registry, this::state, NodeMeters::register);
    this.agents = new AgentMeters(registry);
  }

  private @Nullable NodeState state(NodeId node) {
    long now = clock.nanoTime();
    Reading last = readings.get(node);
    if (last == null || now - last.at() >= TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS)) {
      last = new Reading(scheduler.state(node), now);
      readings.put(node, last);
    }
    return last.state();
  }

  /** Follows the nodes of the local data centre. */
  public void changed(Ring ring) {
    readings.keySet().removeIf(node -> ring.node(node) == null);
    meters.changed(ring);
    agents.changed(ring);
  }

  /** The newest report of a node's agent; null when the node has none any more. */
  public void reported(NodeId node, @Nullable AgentReport report) {
    agents.reported(node, report);
  }

  private static void register(Registrar<NodeState> node) {
    node.gauge(
        "sluice.node.backlog.seconds",
        "How long what waits and runs at this node will take at its measured speed",
        state -> state.backlogMicros() / MICROS);
    node.gauge(
        "sluice.node.suspect",
        "1 while this node is believed not to answer",
        state -> state.isSuspect() ? 1 : 0);
    node.gauge(
        "sluice.node.avoided",
        "1 while an operator has reads avoid this node",
        state -> state.standing() == NodeStanding.AVOIDED ? 1 : 0);
    node.counter(
        "sluice.point.wait.behind.ranges.seconds",
        "Time that point reads have waited for this node, in its queue and, where more reads are in"
            + " flight than it runs at once, inside it by estimate; each second counts by the share"
            + " of range reads among the reads in flight there",
        state -> state.behindRangesNanos() / NANOS);
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
    node.gauge(
        "sluice.queue.expected.seconds",
        "How long a read that comes now has to expect to wait, by how many wait and how fast they"
            + " start; admission goes by it",
        state -> of(state, of).expectedNanos() / NANOS);
    node.counter(
        "sluice.queue.error.seconds",
        "Difference between the wait that was expected of sent reads and their wait, summed",
        state -> of(state, of).waitErrorNanos() / NANOS);
    node.counter(
        "sluice.overloaded",
        "Reads that ended with an overload answer or a time-out",
        state -> of(state, of).overloaded());
    refused(node, "overloaded", state -> of(state, of).shed());
    refused(node, "deadline", state -> of(state, of).expired());
    node.counter(
        "sluice.work.predicted.seconds",
        "Work predicted of the reads that the node has answered, in time of a node that is not"
            + " busy",
        state -> of(state, of).predictedNanos() / NANOS);
    node.counter(
        "sluice.work.done.seconds",
        "Work in the same reads, by what their answers have shown",
        state -> of(state, of).doneNanos() / NANOS);
  }

  private static void refused(
      Registrar<NodeState> node, String reason, ToDoubleFunction<NodeState> count) {
    node.and("reason", reason).counter(RefusalMeters.NAME, RefusalMeters.DESCRIPTION, count);
  }

  private static ClassState of(NodeState state, PriorityClass of) {
    return of == PriorityClass.POINT ? state.point() : state.range();
  }
}
