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
 * The nodes that are believed to answer: those that the cluster says are up and that links hear. It
 * knows, too, which of them an operator wants avoided. Safe for any thread.
 */
public final class NodeHealth implements SuspectListener {

  private final BiConsumer<NodeId, NodeStanding> scheduler;
  private final Set<NodeId> avoided = ConcurrentHashMap.newKeySet();

  /** Each change of a node is one atomic step; a node of which nothing bad is known is left out. */
  private final ConcurrentHashMap<NodeId, State> notFine = new ConcurrentHashMap<>();

  /**
   * The bad that is known of one node.
   *
   * @param silent whether links hear nothing of it
   * @param down whether the cluster says that it is down, and no link has heard it since
   * @param saidDown what the cluster said last, whatever links have heard since
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
   * Knows nothing bad of any node.
   *
   * @param scheduler told of each node whose standing has changed, on any thread; the same may be
   *     told twice
   */
  public NodeHealth(BiConsumer<NodeId, NodeStanding> scheduler) {
    this.scheduler = scheduler;
  }

  /** Links have lost or found a node. What a link hears is newer than what the cluster says. */
  @Override
  public void suspect(NodeId node, boolean suspect) {
    if (suspect || notFine.containsKey(node)) {
      notFine.compute(node, (id, state) -> unlessFine(orFine(state).linksHear(suspect)));
      publish(node);
    }
  }

  /** Takes reads and other requests away from a node as far as others can do them, or ends that. */
  public void avoid(NodeId node, boolean avoid) {
    if (avoid ? avoided.add(node) : avoided.remove(node)) {
      publish(node);
    }
  }

  /** Whether an operator wants it avoided. */
  public boolean isAvoided(NodeId node) {
    return avoided.contains(node);
  }

  /** Takes over what the cluster says, where it says something new. */
  public void changed(Ring ring) {
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

  /** The scheduler is told last what holds, whichever thread changed it. */
  private void publish(NodeId node) {
    NodeStanding told;
    do {
      told = standing(node);
      scheduler.accept(node, told);
    } while (told != standing(node));
  }

  /** Whether a node is believed to answer. */
  public boolean isHealthy(NodeId node) {
    State state = notFine.get(node);
    return state == null || state.isHealthy();
  }

  /** Whether the cluster says that a node is down, and no link has heard it since. */
  boolean isDown(NodeId node) {
    State state = notFine.get(node);
    return state != null && state.down();
  }

  /** Whether it is healthy, and no operator wants it avoided. */
  boolean isPreferred(NodeId node) {
    return standing(node) == NodeStanding.NORMAL;
  }

  private NodeStanding standing(NodeId node) {
    if (!isHealthy(node)) {
      return NodeStanding.SUSPECT;
    }
    return isAvoided(node) ? NodeStanding.AVOIDED : NodeStanding.NORMAL;
  }

  /** The same nodes, the healthy ones first, and of them those last that are to be avoided. */
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
