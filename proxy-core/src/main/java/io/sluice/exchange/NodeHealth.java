package io.sluice.exchange;

import io.sluice.decide.schedule.Scheduler;
import io.sluice.link.SuspectListener;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which nodes are believed to answer: those that the cluster says are up and that no link finds
 * silent. Safe for any thread.
 */
public final class NodeHealth implements SuspectListener {

  private final Scheduler scheduler;
  private final Set<NodeId> silent = ConcurrentHashMap.newKeySet();
  private final Set<NodeId> down = ConcurrentHashMap.newKeySet();

  /** What the cluster said last, whatever links found since. */
  private final Set<NodeId> saidDown = ConcurrentHashMap.newKeySet();

  public NodeHealth(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** A link has lost or found a node. What a link sees is newer than what the cluster says. */
  @Override
  public void suspect(NodeId node, boolean suspect) {
    if (suspect ? silent.add(node) : recovers(node)) {
      scheduler.suspect(node, suspect);
    }
  }

  private boolean recovers(NodeId node) {
    boolean wasSilent = silent.remove(node);
    return down.remove(node) || wasSilent;
  }

  /** Takes over what the cluster says, where it says something new. */
  public void changed(Ring ring) {
    for (Map.Entry<NodeId, Node> entry : ring.nodes().entrySet()) {
      NodeId id = entry.getKey();
      if (!entry.getValue().up() && saidDown.add(id)) {
        down.add(id);
        scheduler.suspect(id, true);
      } else if (entry.getValue().up() && saidDown.remove(id)) {
        recovers(id);
        scheduler.suspect(id, false);
      }
    }
    for (Set<NodeId> each : List.of(silent, down, saidDown)) {
      each.retainAll(ring.nodes().keySet());
    }
  }

  boolean isHealthy(NodeId node) {
    return !silent.contains(node) && !down.contains(node);
  }

  /** The same nodes, those that answer first. */
  public List<NodeId> healthyFirst(List<NodeId> nodes) {
    if (silent.isEmpty() && down.isEmpty()) {
      return nodes;
    }
    List<NodeId> ordered = new ArrayList<>(nodes.size());
    nodes.stream().filter(this::isHealthy).forEach(ordered::add);
    nodes.stream().filter(node -> !isHealthy(node)).forEach(ordered::add);
    return ordered;
  }
}
