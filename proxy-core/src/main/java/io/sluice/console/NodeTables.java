package io.sluice.console;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulerSnapshot;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.NodeHealth;
import io.sluice.fleet.FleetConfig;
import io.sluice.fleet.Homes;
import io.sluice.meter.ReadMeters;
import io.sluice.meter.ReadMeters.ReadTimes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.watch.ClusterView;
import io.sluice.wire.ColumnType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables {@code nodes}, {@code queues} and {@code tenants}: the scheduler's state. Stateless.
 */
final class NodeTables {

  private static final double MICROS_PER_MILLI = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private NodeTables() {}

  /**
   * A node.
   *
   * @param healthy whether the node is believed to answer
   * @param avoided whether an operator has set the node to {@code avoid}
   * @param agent the state of the node agent
   * @param home the home proxy, at which its range reads wait; null if each waits at its client's
   *     proxy
   * @param reads its queue; null for a node that has none, because it is in another data centre and
   *     no rule names that
   * @param points times of its point reads; null without any in the last minute
   * @param ranges times of its range reads; null without any in the last minute
   */
  record NodeFact(
      Node node,
      boolean healthy,
      boolean avoided,
      String agent,
      @Nullable String home,
      @Nullable NodeState reads,
      @Nullable ReadTimes points,
      @Nullable ReadTimes ranges) {

    String address() {
      return node.addressText();
    }

    String state() {
      if (!healthy) {
        return node.up() ? "suspect" : "down";
      }
      return avoided ? NodeChange.AVOID : NodeChange.NORMAL;
    }
  }

  /** One tenant at a node. */
  record TenantFact(String node, TenantState state) {}

  /** One class of reads at a node. */
  record QueueFact(String node, PriorityClass priorityClass, ClassState state) {}

  static final TableShape<NodeFact> NODES =
      TableShape.<NodeFact>named(
              "nodes", "nodes of the cluster and their load; UPDATE of state avoids one")
          .partition(NodeChange.NODE, ColumnType.VARCHAR, NodeFact::address)
          .column("agent", ColumnType.VARCHAR, NodeFact::agent)
          .column("avoided", ColumnType.BOOLEAN, NodeFact::avoided)
          .column("backlog_ms", ColumnType.DOUBLE, reads(r -> r.backlogMicros() / MICROS_PER_MILLI))
          .column("data_center", ColumnType.VARCHAR, fact -> fact.node().datacenter())
          .column("home", ColumnType.VARCHAR, NodeFact::home)
          .column(NodeChange.HOST_ID, ColumnType.UUID, fact -> fact.node().id().hostId())
          .column("point_in_flight", ColumnType.INT, reads(r -> r.point().inFlight()))
          .column("point_p50_ms", ColumnType.DOUBLE, times(NodeFact::points, ReadTimes::p50))
          .column("point_p99_ms", ColumnType.DOUBLE, times(NodeFact::points, ReadTimes::p99))
          .column("point_queued", ColumnType.INT, reads(r -> r.point().queued()))
          .column("rack", ColumnType.VARCHAR, fact -> fact.node().rack())
          .column("range_in_flight", ColumnType.INT, reads(r -> r.range().inFlight()))
          .column("range_p50_ms", ColumnType.DOUBLE, times(NodeFact::ranges, ReadTimes::p50))
          .column("range_p99_ms", ColumnType.DOUBLE, times(NodeFact::ranges, ReadTimes::p99))
          .column("range_queued", ColumnType.INT, reads(r -> r.range().queued()))
          .column("range_slots", ColumnType.INT, reads(NodeState::rangeSlots))
          .column("rate", ColumnType.DOUBLE, reads(NodeState::rate))
          .column("slots", ColumnType.INT, reads(NodeState::slots))
          .column(NodeChange.STATE, ColumnType.VARCHAR, NodeFact::state);

  static final TableShape<QueueFact> QUEUES =
      TableShape.<QueueFact>named("queues", "reads that wait for a node, by class")
          .partition("node", ColumnType.VARCHAR, QueueFact::node)
          .clustering("class", ColumnType.VARCHAR, fact -> name(fact.priorityClass()))
          .column("cancelled", ColumnType.BIGINT, of(ClassState::cancelled))
          .column("expected_wait_ms", ColumnType.DOUBLE, of(s -> millis(s.expectedNanos())))
          .column("in_flight", ColumnType.INT, of(ClassState::inFlight))
          .column("mean_wait_ms", ColumnType.DOUBLE, of(NodeTables::meanWait))
          .column("moved", ColumnType.BIGINT, of(ClassState::moved))
          .column("node_overloaded", ColumnType.BIGINT, of(ClassState::overloaded))
          .column("oldest_ms", ColumnType.DOUBLE, of(s -> millis(s.oldestNanos())))
          .column("queued", ColumnType.INT, of(ClassState::queued))
          .column("refused_backlog", ColumnType.BIGINT, of(ClassState::shed))
          .column("refused_deadline", ColumnType.BIGINT, of(ClassState::expired))
          .column("served", ColumnType.BIGINT, of(ClassState::dispatched));

  static final TableShape<TenantFact> TENANTS =
      TableShape.<TenantFact>named(
              "tenants", "tenants whose reads have waited for a node, or were refused there")
          .partition("tenant", ColumnType.VARCHAR, tenant(TenantState::tenant))
          .clustering("node", ColumnType.VARCHAR, TenantFact::node)
          .column("in_flight", ColumnType.INT, tenant(TenantState::inFlight))
          .column("point_queued", ColumnType.INT, tenant(TenantState::points))
          .column("range_queued", ColumnType.INT, tenant(TenantState::ranges))
          .column("refused", ColumnType.BIGINT, tenant(TenantState::refused))
          .column("served", ColumnType.BIGINT, tenant(TenantState::served))
          .column("weight", ColumnType.DOUBLE, tenant(TenantState::weight))
          .column("work_ms", ColumnType.DOUBLE, tenant(s -> s.workNanos() / NANOS_PER_MILLI));

  private static Function<TenantFact, @Nullable Object> tenant(
      Function<TenantState, Object> value) {
    return fact -> value.apply(fact.state());
  }

  private static Function<NodeFact, @Nullable Object> reads(Function<NodeState, Object> value) {
    return fact -> fact.reads() == null ? null : value.apply(fact.reads());
  }

  private static Function<NodeFact, @Nullable Object> times(
      Function<NodeFact, @Nullable ReadTimes> of, Function<ReadTimes, Object> quantile) {
    return fact -> {
      ReadTimes times = of.apply(fact);
      return times == null ? null : quantile.apply(times);
    };
  }

  private static Function<QueueFact, @Nullable Object> of(Function<ClassState, Object> value) {
    return fact -> value.apply(fact.state());
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private static double meanWait(ClassState state) {
    return state.dispatched() == 0 ? 0 : millis(state.waitNanos()) / state.dispatched();
  }

  private static String name(PriorityClass priorityClass) {
    return priorityClass.name().toLowerCase(Locale.ROOT);
  }

  private static String address(ClusterView view, NodeId id) {
    Node node = view.ring().node(id);
    return node == null ? id.toString() : node.addressText();
  }

  /** Returns all nodes of the cluster. */
  static List<NodeFact> nodes(
      ClusterView view,
      SchedulerSnapshot scheduler,
      NodeHealth health,
      ExchangeConfig config,
      ReadMeters reads) {
    Map<NodeId, NodeState> states =
        scheduler.nodes().stream().collect(Collectors.toMap(NodeState::node, each -> each));
    return view.ring().nodes().values().stream()
        .sorted(Comparator.comparing(Node::addressText))
        .map(
            node ->
                new NodeFact(
                    node,
                    health.isHealthy(node.id()),
                    health.isAvoided(node.id()),
                    name(view, node.id()),
                    states.containsKey(node.id()) ? home(node.id(), config) : null,
                    states.get(node.id()),
                    reads.times(node.id(), PriorityClass.POINT),
                    reads.times(node.id(), PriorityClass.RANGE)))
        .toList();
  }

  private static @Nullable String home(NodeId node, ExchangeConfig config) {
    Homes.Home other = config.homes().of(node);
    if (other != null) {
      return other.toString();
    }
    InetSocketAddress self = config.homes().members() == 1 ? null : config.advertise();
    return self == null ? null : FleetConfig.text(self);
  }

  private static String name(ClusterView view, NodeId node) {
    return view.agent(node).name().toLowerCase(Locale.ROOT);
  }

  /** Returns both classes of reads of every node with a queue. */
  static List<QueueFact> queues(ClusterView view, SchedulerSnapshot scheduler) {
    List<QueueFact> queues = new ArrayList<>();
    for (NodeState state : scheduler.nodes()) {
      String address = address(view, state.node());
      queues.add(new QueueFact(address, PriorityClass.POINT, state.point()));
      queues.add(new QueueFact(address, PriorityClass.RANGE, state.range()));
    }
    return queues;
  }

  /** Returns the tenants that {@code asker} may see: all, or the tenant with its role's name. */
  static List<TenantFact> tenants(
      ClusterView view, Map<NodeId, List<TenantState>> tenants, Asker asker) {
    List<TenantFact> seen = new ArrayList<>();
    tenants.forEach(
        (node, states) ->
            states.stream()
                .filter(each -> asker.sees(each.tenant()))
                .forEach(each -> seen.add(new TenantFact(address(view, node), each))));
    return seen;
  }
}
