package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.meter.MetersByNode.Registrar;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the mode observe: how long reads take at each node, how long they would wait and
 * take with the scheduler, and which it would refuse. Safe for any thread.
 */
public final class ShadowMeters implements ShadowListener {

  private static final List<Refusal.Reason> AT_NODES =
      List.of(Refusal.Reason.OVERLOADED, Refusal.Reason.DEADLINE);

  private final Map<NodeId, Map<PriorityClass, OfClass>> byNode = new ConcurrentHashMap<>();
  private final MetersByNode<Map<PriorityClass, OfClass>> meters;
  private final MeterRegistry registry;

  /** Kept here because a {@link FunctionCounter} has only a weak reference to its object. */
  private volatile LongSupplier lost = () -> 0;

  /** The meters of one class of reads at one node. */
  private record OfClass(
      Timer now, Timer waits, Timer would, Map<Refusal.Reason, LongAdder> refused) {}

  /** Creates meters without nodes. */
  public ShadowMeters(MeterRegistry registry) {
    this.registry = registry;
    this.meters = new MetersByNode<>(registry, byNode::get, this::register);
  }

  /** Registers a counter of the events that did not reach the shadow scheduler. */
  public void losses(LongSupplier events) {
    lost = events;
    FunctionCounter.builder("sluice.shadow.lost", this, meters -> meters.lost.getAsLong())
        .description(
            "Events missing from the estimates of the mode observe, because too many came at once")
        .register(registry);
  }

  /** Updates the meters to the nodes that have queues, and to their addresses. */
  public void changed(Ring ring) {
    meters.changed(ring);
    byNode.keySet().removeIf(node -> ring.node(node) == null);
  }

  private void register(Registrar<Map<PriorityClass, OfClass>> node) {
    Map<PriorityClass, OfClass> classes = new EnumMap<>(PriorityClass.class);
    for (PriorityClass each : PriorityClass.values()) {
      Registrar<Map<PriorityClass, OfClass>> of =
          node.and("class", each.name().toLowerCase(Locale.ROOT));
      Map<Refusal.Reason, LongAdder> refused = new EnumMap<>(Refusal.Reason.class);
      for (Refusal.Reason reason : AT_NODES) {
        LongAdder count = new LongAdder();
        refused.put(reason, count);
        of.and("reason", reason.name().toLowerCase(Locale.ROOT))
            .counter(
                "sluice.shadow.refused",
                "Estimated number of reads that would be refused; in the mode observe",
                state -> (double) count.sum());
      }
      classes.put(
          each,
          new OfClass(
              of.timer(
                  "sluice.shadow.observed",
                  "Time of reads at the node, from their sending; in the mode observe"),
              of.timer(
                  "sluice.shadow.wait",
                  "Estimated time that reads would wait in the queue; in the mode observe"),
              of.timer(
                  "sluice.shadow.response",
                  "Estimated time that reads would take including their wait; in the mode observe"),
              refused));
    }
    byNode.put(node.node(), classes);
  }

  private @Nullable OfClass of(NodeId node, PriorityClass priorityClass) {
    Map<PriorityClass, OfClass> classes = byNode.get(node);
    return classes == null ? null : classes.get(priorityClass);
  }

  @Override
  public void answered(NodeId node, PriorityClass priorityClass, long tookNanos, long at) {
    OfClass meter = of(node, priorityClass);
    if (meter != null) {
      meter.now().record(tookNanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void wouldAnswer(
      NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {
    OfClass meter = of(node, priorityClass);
    if (meter != null) {
      meter.waits().record(waitedNanos, TimeUnit.NANOSECONDS);
      meter.would().record(tookNanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void wouldRefuse(
      NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {
    OfClass meter = of(node, priorityClass);
    LongAdder count = meter == null ? null : meter.refused().get(reason);
    if (count != null) {
      count.increment();
    }
  }
}
