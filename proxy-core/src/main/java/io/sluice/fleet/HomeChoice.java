package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The choice of the proxy at which a piece of a range read waits for a permit. */
public sealed interface HomeChoice {

  /**
   * The piece waits at this proxy.
   *
   * @param nodes the replicas for whose permits it may wait, the preferred one first
   */
  record Here(List<NodeId> nodes) implements HomeChoice {
    public Here {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The piece waits at another proxy.
   *
   * @param home the proxy
   * @param node the replica for whose permit it waits there
   */
  record Away(Homes.Home home, NodeId node) implements HomeChoice {}

  /**
   * The piece waits at this proxy, because its home proxy cannot be used now.
   *
   * @param home the home proxy
   */
  record Instead(Homes.Home home) implements HomeChoice {}

  /**
   * The known state of nodes and home proxies.
   *
   * @param healthy whether a node is believed to respond
   * @param waitMicros the last reported wait at a node, in µs
   * @param usable whether a home proxy can be used for a node
   */
  record HomeState(
      Predicate<NodeId> healthy, ToDoubleFunction<NodeId> waitMicros, Predicate<Away> usable) {}

  /** Another replica is preferred when the wait there is shorter by more than this factor. */
  double CLEARLY = 2;

  /** Below this wait, in µs, another replica is not worth a look. */
  double SHORT_MICROS = 1_000;

  /**
   * Chooses the proxy for a piece. It is the home of the first healthy replica, so that reads of
   * the same rows meet. Another replica is chosen when the wait there is much shorter.
   *
   * @param replicas the nodes that own the piece, the preferred one first
   */
  static HomeChoice of(Homes homes, List<NodeId> replicas, HomeState state) {
    if (homes.members() == 1 || replicas.isEmpty()) {
      return new Here(replicas);
    }
    NodeId node = node(replicas, state);
    Homes.Home home = homes.of(node);
    if (home == null) {
      return new Here(replicas.stream().filter(each -> homes.of(each) == null).toList());
    }
    Away to = new Away(home, node);
    return state.usable().test(to) ? to : new Instead(home);
  }

  private static NodeId node(List<NodeId> replicas, HomeState state) {
    NodeId best = null;
    double least = 0;
    for (NodeId each : replicas) {
      if (state.healthy().test(each)) {
        double wait =
            best == null || least > SHORT_MICROS ? state.waitMicros().applyAsDouble(each) : 0;
        if (best == null || (least > SHORT_MICROS && least > CLEARLY * wait)) {
          best = each;
          least = wait;
        }
      }
    }
    return best == null ? replicas.get(0) : best;
  }
}
