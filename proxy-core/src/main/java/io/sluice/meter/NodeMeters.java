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
 * The meters of the reads that are queued and in flight at each node, and of its agent's report.
 * They come and go with the nodes. All meters of a node that are read within {@value #FRESH_MILLIS}
 * ms show one snapshot, so that a scrape takes the lock of each node's queue once. Safe for any
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

  /** A snapshot of a node's state at a time; null when the scheduler does not know the node. */
  private record Reading(@Nullable NodeState state, long at) {}

  /** Creates meters without nodes. {@code clock} gives the age of a snapshot. */
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

  /** Updates the meters to the nodes that have queues, and to their addresses. */
  public void changed(Ring ring) {
    readings.keySet().removeIf(node -> ring.node(node) == null);
    meters.changed(ring);
    agents.changed(ring);
  }

  /** Stores the newest report of a node's agent; null when the node has no agent any more. */
  public void reported(NodeId node, @Nullable AgentReport report) {
    agents.reported(node, report);
  }

  private static void register(Registrar<NodeState> node) {
    node.gauge(
        "sluice.node.backlog.seconds",
        "Time that the reads queued and in flight at this node will take at its measured speed",
        state -> state.backlogMicros() / MICROS);
    node.gauge(
        "sluice.node.suspect",
        "1 while this node is reported down, or no connection receives data from it",
        state -> state.isSuspect() ? 1 : 0);
    node.gauge(
        "sluice.node.avoided",
        "1 while reads avoid this node on an operator's request",
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
        "Maximum number of reads in flight at this node",
        state -> of == PriorityClass.RANGE ? state.rangeSlots() : state.slots());
    node.gauge("sluice.queued", "Reads that are queued", state -> of(state, of).queued());
    node.gauge(
        "sluice.in.flight",
        "Reads that are in flight at the node",
        state -> of(state, of).inFlight());
    node.counter(
        "sluice.dispatched", "Reads sent to the node", state -> of(state, of).dispatched());
    node.gauge(
        "sluice.queue.expected.seconds",
        "Expected wait of a read that arrives now, by how many reads are queued and how fast they"
            + " start; admission uses this value",
        state -> of(state, of).expectedNanos() / NANOS);
    node.counter(
        "sluice.queue.error.seconds",
        "Sum of the differences between the expected and the real waits of sent reads",
        state -> of(state, of).waitErrorNanos() / NANOS);
    node.counter(
        "sluice.overloaded",
        "Reads that ended with an overload error or a timeout",
        state -> of(state, of).overloaded());
    refused(node, "overloaded", state -> of(state, of).shed());
    refused(node, "deadline", state -> of(state, of).expired());
    node.counter(
        "sluice.work.predicted.seconds",
        "Work predicted for the reads that the node has answered, in time of a node that is not"
            + " busy",
        state -> of(state, of).predictedNanos() / NANOS);
    node.counter(
        "sluice.work.done.seconds",
        "Work of the same reads, as their responses have shown it",
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
