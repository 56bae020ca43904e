package io.sluice.exchange;

import io.sluice.link.SuspectListener;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are believed to answer: those that the cluster says are up and that links hear.
 * Safe for any thread.
 */
public final class NodeHealth implements SuspectListener {

  private final SuspectListener scheduler;

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
   * Tells {@code scheduler} of each node that is believed not to answer, and when it does again.
   */
  public NodeHealth(SuspectListener scheduler) {
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

  /** Takes over what the cluster says, where it says something new. */
  public void changed(Ring ring) {
    for (Map.Entry<NodeId, Node> entry : ring.nodes().entrySet()) {
      NodeId id = entry.getKey();
      boolean up = entry.getValue().up();
      notFine.compute(id, (same, state) -> unlessFine(orFine(state).clusterSays(up)));
      publish(id);
    }
    notFine.keySet().retainAll(ring.nodes().keySet());
  }

  private static State orFine(@Nullable State state) {
    return state == null ? State.FINE : state;
  }

  private static @Nullable State unlessFine(State state) {
    return state.equals(State.FINE) ? null : state;
  }

  /** The scheduler is told last what holds, whichever thread changed it. */
  private void publish(NodeId node) {
    boolean told;
    do {
      told = isHealthy(node);
      scheduler.suspect(node, !told);
    } while (told != isHealthy(node));
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

  /** The same nodes, the healthy ones first. */
  public List<NodeId> healthyFirst(List<NodeId> nodes) {
    if (notFine.isEmpty()) {
      return nodes;
    }
    List<NodeId> ordered = new ArrayList<>(nodes.size());
    nodes.stream().filter(this::isHealthy).forEach(ordered::add);
    nodes.stream().filter(node -> !isHealthy(node)).forEach(ordered::add);
    return ordered;
  }
}
