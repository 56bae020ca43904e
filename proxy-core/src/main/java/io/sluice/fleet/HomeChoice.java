package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The proxy at which a piece of a range read waits for its turn. */
public sealed interface HomeChoice {

  /**
   * This proxy.
   *
   * @param nodes the replicas for whose turn it may wait, the preferred first
   */
  record Here(List<NodeId> nodes) implements HomeChoice {
    public Here {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Another proxy.
   *
   * @param home the proxy
   * @param node the replica for whose turn it waits there
   */
  record Away(Homes.Home home, NodeId node) implements HomeChoice {}

  /**
   * This proxy, because the home cannot be asked now.
   *
   * @param home the proxy that it should wait at
   */
  record Instead(Homes.Home home) implements HomeChoice {}

  /**
   * The state of nodes and homes.
   *
   * @param healthy whether a node is believed to answer
   * @param waitMicros how long the wait at a node was when that was told last
   * @param usable whether a home can be asked
   */
  record Known(
      Predicate<NodeId> healthy, ToDoubleFunction<NodeId> waitMicros, Predicate<UUID> usable) {}

  /** Another replica is asked when the wait there is shorter by more than this factor. */
  double CLEARLY = 2;

  /** A wait that is not worth to go elsewhere for, µs. */
  double SHORT_MICROS = 1_000;

  /**
   * The choice for a piece: the home of its first replica that is believed to answer, so that reads
   * of the same rows meet; that of another one where the wait is much shorter.
   *
   * @param replicas the nodes that own the piece, the preferred first
   */
  static HomeChoice of(Homes homes, List<NodeId> replicas, Known known) {
    if (homes.members() == 1 || replicas.isEmpty()) {
      return new Here(replicas);
    }
    NodeId node = node(replicas, known);
    Homes.Home home = homes.of(node);
    if (home == null) {
      return new Here(replicas.stream().filter(each -> homes.of(each) == null).toList());
    }
    return known.usable().test(home.instance()) ? new Away(home, node) : new Instead(home);
  }

  private static NodeId node(List<NodeId> replicas, Known known) {
    NodeId best = null;
    double least = 0;
    for (NodeId each : replicas) {
      if (known.healthy().test(each)) {
        double wait =
            best == null || least > SHORT_MICROS ? known.waitMicros().applyAsDouble(each) : 0;
        if (best == null || (least > SHORT_MICROS && least > CLEARLY * wait)) {
          best = each;
          least = wait;
        }
      }
    }
    return best == null ? replicas.get(0) : best;
  }
}
