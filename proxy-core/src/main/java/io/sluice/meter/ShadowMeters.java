package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.shadow.ShadowListener;
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
 * The reads that are only observed: how long they take at each node, and by estimate how long they
 * would wait and take, and which would be refused, with the scheduler. Safe for any thread.
 */
public final class ShadowMeters implements ShadowListener {

  private static final List<Refusal.Reason> AT_NODES =
      List.of(Refusal.Reason.OVERLOADED, Refusal.Reason.DEADLINE);

  private final Map<NodeId, Map<PriorityClass, OfClass>> byNode = new ConcurrentHashMap<>();
  private final MetersByNode<Map<PriorityClass, OfClass>> meters;
  private final MeterRegistry registry;

  /** One class of reads at one node. */
  private record OfClass(
      Timer now, Timer waits, Timer would, Map<Refusal.Reason, LongAdder> refused) {}

  /** Registers the meters of no node yet. */
  public ShadowMeters(MeterRegistry registry) {
    this.registry = registry;
    this.meters = new MetersByNode<>(registry, byNode::get, this::register);
  }

  /** Counts what was lost on the way to the shadow. */
  public void losses(LongSupplier lost) {
    FunctionCounter.builder("sluice.shadow.lost", lost, LongSupplier::getAsLong)
        .description("Events that the estimates of the mode observe lack, because too many came")
        .register(registry);
  }

  /** Follows the nodes of the local data centre. */
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
                "Reads that would be refused, by estimate; in the mode observe",
                state -> (double) count.sum());
      }
      classes.put(
          each,
          new OfClass(
              of.timer(
                  "sluice.shadow.observed",
                  "How long reads took at the node, from when they were sent; in the mode observe"),
              of.timer(
                  "sluice.shadow.wait",
                  "How long reads would wait for their turn, by estimate; in the mode observe"),
              of.timer(
                  "sluice.shadow.response",
                  "How long reads would take with their wait, by estimate; in the mode observe"),
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
