package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters for each node that has a queue, and removes them with the node. Safe for any
 * thread.
 *
 * @param <S> the state from which a node's figures are read
 */
final class MetersByNode<S> {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final Duration[] BUCKETS =
      DoubleStream.of(0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
          .mapToObj(millis -> Duration.ofNanos((long) (millis * NANOS_PER_MILLI)))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Source<S> source;
  private final Shape<S> shape;
  private final Map<NodeId, Registered> byNode = new HashMap<>();

  /** The meters of a node, which carry its address as a tag. */
  private record Registered(String address, List<Meter> meters) {}

  /** The source of figures. */
  interface Source<S> {
    /** Returns the current state of a node; null when there is none, which shows as 0. */
    @Nullable S of(NodeId node);
  }

  /** The set of meters that each node has. */
  interface Shape<S> {
    void register(Registrar<S> node);
  }

  MetersByNode(MeterRegistry registry, Source<S> source, Shape<S> shape) {
    this.registry = registry;
    this.source = source;
    this.shape = shape;
  }

  /**
   * Updates the meters to the nodes that have queues, and to their addresses. Two nodes may have
   * exchanged addresses.
   */
  synchronized void changed(Ring ring) {
    byNode.entrySet().removeIf(each -> forget(each.getValue(), ring.node(each.getKey())));
    for (Node node : ring.scheduled()) {
      byNode.computeIfAbsent(node.id(), id -> register(node));
    }
  }

  private boolean forget(Registered known, @Nullable Node now) {
    boolean gone = now == null || !known.address().equals(now.addressText());
    if (gone) {
      known.meters().forEach(registry::remove);
    }
    return gone;
  }

  private Registered register(Node node) {
    String address = node.addressText();
    Registrar<S> meters = new Registrar<>(this, node.id(), Tags.of("node", address));
    shape.register(meters);
    return new Registered(address, meters.made);
  }

  private double read(NodeId node, ToDoubleFunction<S> value) {
    S state = source.of(node);
    return state == null ? 0 : value.applyAsDouble(state);
  }

  /** Registers the meters of one node. */
  static final class Registrar<S> {

    private final MetersByNode<S> all;
    private final NodeId node;
    private final Tags tags;
    private final List<Meter> made;

    private Registrar(MetersByNode<S> all, NodeId node, Tags tags) {
      this(all, node, tags, new ArrayList<>());
    }

    private Registrar(MetersByNode<S> all, NodeId node, Tags tags, List<Meter> made) {
      this.all = all;
      this.node = node;
      this.tags = tags;
      this.made = made;
    }

    /** Returns a registrar for the same node with one more tag. */
    Registrar<S> and(String key, String value) {
      return new Registrar<>(all, node, tags.and(key, value), made);
    }

    void gauge(String name, String what, ToDoubleFunction<S> value) {
      made.add(
          Gauge.builder(name, all, from -> from.read(node, value))
              .description(what)
              .tags(tags)
              .register(all.registry));
    }

    NodeId node() {
      return node;
    }

    /** Registers a histogram of times with few buckets. The caller records into it. */
    Timer timer(String name, String what) {
      Timer timer =
          Timer.builder(name)
              .description(what)
              .serviceLevelObjectives(BUCKETS)
              .tags(tags)
              .register(all.registry);
      made.add(timer);
      return timer;
    }

    void counter(String name, String what, ToDoubleFunction<S> value) {
      made.add(
          FunctionCounter.builder(name, all, from -> from.read(node, value))
              .description(what)
              .tags(tags)
              .register(all.registry));
    }
  }
}
