package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ShareRule;
import io.sluice.fleet.HomeProxies;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One proxy as the pieces of range reads see it: its queued pieces, those that other proxies have
 * sent there, and its knowledge of the others. Not safe for several threads.
 */
final class Station {
  /** Another replica's home is asked if the wait there is shorter by this factor. */
  private static final double CLEARLY = 2;

  /** A wait too short to go to another home, µs. */
  private static final double SHORT_MICROS = 1000;

  /** A stand-in for all nodes, whose home is the one proxy for all queues of a fleet. */
  private static final NodeId ANY = new NodeId(new UUID(0, 0));

  /** A home, and the replicas whose queues it has. */
  record Route(Station home, List<NodeId> replicas) {}

  private final UUID id;
  private final SimProxy proxy;
  private final Variant.Fleet mode;
  private final RangeStatement statement;
  private final @Nullable ShareRule rule;
  private final ScanSharing<SharableAttempt> waiting = new ScanSharing<>();
  private final Set<SharableAttempt> guests = new LinkedHashSet<>();
  private final double[] told;
  private HomeProxies homes = new HomeProxies(List.of(), List.of());
  private Function<UUID, Station> fleet = other -> this;

  Station(
      UUID id,
      SimProxy proxy,
      Variant.Fleet mode,
      RangeStatement statement,
      @Nullable ShareRule rule) {
    this.id = id;
    this.proxy = proxy;
    this.mode = mode;
    this.statement = statement;
    this.rule = rule;
    this.told = new double[proxy.cluster().size()];
  }

  UUID id() {
    return id;
  }

  SimProxy proxy() {
    return proxy;
  }

  RangeStatement statement() {
    return statement;
  }

  /** Returns the rule of shared scans; null without these. */
  @Nullable ShareRule rule() {
    return rule;
  }

  /**
   * Returns the queued pieces that may be read together: those here or, with leases, this proxy's
   * pieces at any home.
   */
  ScanSharing<SharableAttempt> waiting() {
    return waiting;
  }

  /** Returns the pieces of other proxies that are here and have no outcome yet. */
  Set<SharableAttempt> guests() {
    return guests;
  }

  /** Whether the proxy that the client is connected to sends a read that waits at another home. */
  boolean leases() {
    return mode == Variant.Fleet.LEASES;
  }

  /** Changes the members of the fleet. */
  void members(HomeProxies now, Function<UUID, Station> byId) {
    homes = now;
    fleet = byId;
  }

  /** Returns the expected wait of the next range read at a node here, µs. */
  double waitMicros(NodeId node) {
    NodeState state = proxy.scheduler().state(node);
    return state == null ? 0 : state.backlogMicros();
  }

  /** Takes over the wait at a node that a home has reported with an answer. */
  void told(NodeId node, double waitMicros) {
    told[Layout.number(node)] = waitMicros;
  }

  /**
   * Returns the home to queue at for one of these replicas, and the replicas that it is the home
   * of.
   */
  Route route(List<NodeId> replicas) {
    return switch (mode) {
      case ALONE -> new Route(this, replicas);
      case LEADER -> new Route(home(ANY), replicas);
      case LEASES, HOMES -> {
        Station home = home(replica(replicas));
        List<NodeId> there = new ArrayList<>(replicas);
        there.removeIf(node -> home(node) != home);
        yield new Route(home, there);
      }
    };
  }

  private Station home(NodeId node) {
    return homes.of(node).map(fleet).orElse(this);
  }

  /**
   * Returns the first replica, so that reads of the same rows meet, unless the wait there is much
   * longer.
   */
  private NodeId replica(List<NodeId> replicas) {
    NodeId best = replicas.get(0);
    for (NodeId other : replicas) {
      double here = told[Layout.number(best)];
      if (here > SHORT_MICROS && here > CLEARLY * told[Layout.number(other)]) {
        best = other;
      }
    }
    return best;
  }
}
