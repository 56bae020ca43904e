package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of each node of the local data centre, which come and go with it. Thread-safe.
 *
 * @param <S> what a node's figures are read from
 */
final class MetersByNode<S> {

  private final MeterRegistry registry;
  private final Source<S> source;
  private final Shape<S> shape;
  private final Map<NodeId, List<Meter>> byNode = new HashMap<>();

  /** Where figures come from. */
  interface Source<S> {
    /** A node's state now; null when there is none, which shows as 0. */
    @Nullable S of(NodeId node);
  }

  /** Which meters a node has. */
  interface Shape<S> {
    void register(Registrar<S> node);
  }

  MetersByNode(MeterRegistry registry, Source<S> source, Shape<S> shape) {
    this.registry = registry;
    this.source = source;
    this.shape = shape;
  }

  /** Follows the nodes. */
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
    Registrar<S> meters = new Registrar<>(this, node.id(), Tags.of("node", address));
    shape.register(meters);
    return meters.made;
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

    /** Registers meters of the same node with one tag more. */
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

    void counter(String name, String what, ToDoubleFunction<S> value) {
      made.add(
          FunctionCounter.builder(name, all, from -> from.read(node, value))
              .description(what)
              .tags(tags)
              .register(all.registry));
    }
  }
}
