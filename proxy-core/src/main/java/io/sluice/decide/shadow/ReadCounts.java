package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulerSnapshot;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of the reads of the last minute, by node and class. Results are passed on after they
 * are counted. Not safe for several threads.
 */
final class ReadCounts implements ShadowListener {

  private final ShadowListener next;
  private final Map<NodeId, Map<PriorityClass, LastMinute>> byNode = new HashMap<>();

  /**
   * Creates empty counts.
   *
   * @param next receives all results
   */
  ReadCounts(ShadowListener next) {
    this.next = next;
  }

  private LastMinute of(NodeId node, PriorityClass priorityClass) {
    return byNode
        .computeIfAbsent(node, each -> new HashMap<>())
        .computeIfAbsent(priorityClass, each -> new LastMinute());
  }

  /** Forgets all reads. */
  void clear() {
    byNode.clear();
  }

  /** Forgets the reads of all other nodes. */
  void retainAll(Collection<NodeId> nodes) {
    byNode.keySet().retainAll(nodes);
  }

  @Override
  public void answered(NodeId node, PriorityClass priorityClass, long tookNanos, long at) {
    of(node, priorityClass).answered(tookNanos, at);
    next.answered(node, priorityClass, tookNanos, at);
  }

  @Override
  public void wouldAnswer(
      NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {
    of(node, priorityClass).wouldAnswer(waitedNanos, tookNanos, at);
    next.wouldAnswer(node, priorityClass, waitedNanos, tookNanos, at);
  }

  @Override
  public void wouldRefuse(
      NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {
    of(node, priorityClass).wouldRefuse(at);
    next.wouldRefuse(node, priorityClass, reason, at);
  }

  /**
   * Returns both classes of all nodes of the scheduler, and of the nodes together; empty without
   * nodes.
   *
   * @param scheduler the slots and queues of the nodes
   */
  List<ShadowState> states(SchedulerSnapshot scheduler, long now) {
    List<ShadowState> all = new ArrayList<>();
    for (NodeState node : scheduler.nodes()) {
      all.add(state(node, PriorityClass.POINT, now));
      all.add(state(node, PriorityClass.RANGE, now));
    }
    if (!all.isEmpty()) {
      all.add(sum(all, PriorityClass.POINT));
      all.add(sum(all, PriorityClass.RANGE));
    }
    return List.copyOf(all);
  }

  private ShadowState state(NodeState node, PriorityClass priorityClass, long now) {
    LastMinute minute = of(node.node(), priorityClass);
    minute.forget(now);
    boolean point = priorityClass == PriorityClass.POINT;
    return minute.state(
        node.node(),
        priorityClass,
        point ? node.slots() : node.rangeSlots(),
        (point ? node.point() : node.range()).queued());
  }

  private ShadowState sum(List<ShadowState> nodes, PriorityClass priorityClass) {
    LastMinute all = new LastMinute();
    int slots = 0;
    int queued = 0;
    for (ShadowState state : nodes) {
      NodeId node = state.node();
      if (node != null && state.priorityClass() == priorityClass) {
        all.add(of(node, priorityClass));
        slots += state.slots();
        queued += state.queued();
      }
    }
    return all.state(null, priorityClass, slots, queued);
  }
}
