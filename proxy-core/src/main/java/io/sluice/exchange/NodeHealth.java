package io.sluice.exchange;

import io.sluice.decide.schedule.NodeStanding;
import io.sluice.link.SuspectListener;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The health of the nodes. A node is healthy while the cluster reports it up and its links receive
 * data. Also holds the nodes that an operator wants avoided. Safe for any thread.
 */
public final class NodeHealth implements SuspectListener {

  private final BiConsumer<NodeId, NodeStanding> scheduler;
  private final Set<NodeId> avoided = ConcurrentHashMap.newKeySet();

  /** The nodes that have queues. */
  private volatile List<Node> scheduled = List.of();

  /** The nodes with a problem. Each change of a node's state is atomic. */
  private final ConcurrentHashMap<NodeId, State> notFine = new ConcurrentHashMap<>();

  /**
   * The known problems of one node.
   *
   * @param silent whether no link receives data from the node
   * @param down whether the cluster reports the node down, and no link has received data since
   * @param saidDown whether the last report of the cluster was down, regardless of the links
   */
  private record State(boolean silent, boolean down, boolean saidDown) {

    static final State FINE = new State(false, false, false);

    State linksHear(boolean nothing) {
      return nothing ? new State(true, down, saidDown) : new State(false, false, saidDown);
    }

    State clusterSays(boolean up) {
      if (up == !saidDown) {
        return this;
      }
      return up ? FINE : new State(silent, true, true);
    }

    boolean isHealthy() {
      return !silent && !down;
    }
  }

  /**
   * Creates a view in which all nodes are healthy.
   *
   * @param scheduler is called with each node whose standing has changed, on any thread; may get
   *     the same standing twice
   */
  public NodeHealth(BiConsumer<NodeId, NodeStanding> scheduler) {
    this.scheduler = scheduler;
  }

  /** Records whether links receive data from a node. This is newer than the cluster's report. */
  @Override
  public void suspect(NodeId node, boolean suspect) {
    if (suspect || notFine.containsKey(node)) {
      notFine.compute(node, (id, state) -> unlessFine(orFine(state).linksHear(suspect)));
      publish(node);
    }
  }

  /** Sets whether other nodes are preferred to a node, for all requests that they can serve. */
  public void avoid(NodeId node, boolean avoid) {
    if (avoid ? avoided.add(node) : avoided.remove(node)) {
      publish(node);
    }
  }

  /** Whether an operator wants the node avoided. */
  public boolean isAvoided(NodeId node) {
    return avoided.contains(node);
  }

  /**
   * Applies the cluster's reports of nodes that are up or down. An unchanged report has no effect.
   */
  public void changed(Ring ring) {
    scheduled = ring.scheduled();
    for (Map.Entry<NodeId, Node> entry : ring.nodes().entrySet()) {
      NodeId id = entry.getKey();
      boolean up = entry.getValue().up();
      notFine.compute(id, (same, state) -> unlessFine(orFine(state).clusterSays(up)));
      publish(id);
    }
    notFine.keySet().retainAll(ring.nodes().keySet());
    avoided.retainAll(ring.nodes().keySet());
  }

  private static State orFine(@Nullable State state) {
    return state == null ? State.FINE : state;
  }

  private static @Nullable State unlessFine(State state) {
    return state.equals(State.FINE) ? null : state;
  }

  /**
   * Reports the standing of a node to the scheduler. Repeats this until it has not changed
   * meanwhile, because several threads may report.
   */
  private void publish(NodeId node) {
    NodeStanding told;
    do {
      told = standing(node);
      scheduler.accept(node, told);
    } while (told != standing(node));
  }

  /** Whether a node is up and its links receive data. */
  public boolean isHealthy(NodeId node) {
    State state = notFine.get(node);
    return state == null || state.isHealthy();
  }

  /** Whether the cluster reports a node down, and no link has received data from it since. */
  public boolean isDown(NodeId node) {
    State state = notFine.get(node);
    return state != null && state.down();
  }

  /** Returns the nodes with queues that are not healthy. */
  public List<Node> unhealthy() {
    return notFine.isEmpty()
        ? List.of()
        : scheduled.stream().filter(node -> !isHealthy(node.id())).toList();
  }

  /** Whether a node is healthy and not avoided. */
  boolean isPreferred(NodeId node) {
    return standing(node) == NodeStanding.NORMAL;
  }

  private NodeStanding standing(NodeId node) {
    if (!isHealthy(node)) {
      return NodeStanding.SUSPECT;
    }
    return isAvoided(node) ? NodeStanding.AVOIDED : NodeStanding.NORMAL;
  }

  /** Returns the nodes in three groups: healthy ones, then avoided ones, then suspects. */
  public List<NodeId> healthyFirst(List<NodeId> nodes) {
    if (notFine.isEmpty() && avoided.isEmpty()) {
      return nodes;
    }
    List<NodeId> ordered = new ArrayList<>(nodes.size());
    List<NodeId> avoidedOnes = new ArrayList<>();
    List<NodeId> suspects = new ArrayList<>();
    for (NodeId node : nodes) {
      switch (standing(node)) {
        case NORMAL -> ordered.add(node);
        case AVOIDED -> avoidedOnes.add(node);
        case SUSPECT -> suspects.add(node);
      }
    }
    ordered.addAll(avoidedOnes);
    ordered.addAll(suspects);
    return ordered;
  }
}
