package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;
import java.util.List;

/**
 * The scheduler at one moment, for metrics. Each node is consistent in itself.
 *
 * @param nodes every node now known
 * @param unavailable sub-requests refused since the start because none of their nodes was known
 */
public record SchedulerSnapshot(List<NodeState> nodes, long unavailable) {

  public SchedulerSnapshot {
    nodes = List.copyOf(nodes);
  }

  /**
   * One node.
   *
   * @param node the node
   * @param standing how much it is preferred to other replicas
   * @param slots sub-requests it may run at once (K)
   * @param rangeSlots range sub-requests among them (Kr)
   * @param backlogMicros how long what is queued and in flight will take at the measured rate
   * @param rate work done per microsecond when busy: about the cores it has for reads
   * @param point point reads
   * @param range range reads
   */
  public record NodeState(
      NodeId node,
      NodeStanding standing,
      int slots,
      int rangeSlots,
      double backlogMicros,
      double rate,
      ClassState point,
      ClassState range) {

    /** Whether it is believed not to answer. */
    public boolean isSuspect() {
      return standing == NodeStanding.SUSPECT;
    }
  }

  /**
   * One class of reads at one node. All but the first two and the last count since the node became
   * known.
   *
   * @param queued waiting now
   * @param inFlight started and not finished now
   * @param dispatched started
   * @param overloaded ended with an overload answer or a time-out
   * @param shed refused because of the backlog
   * @param expired refused because the deadline could not be met any more
   * @param cancelled taken out of the queue by the caller
   * @param moved taken out of the queue in favour of another replica
   * @param waitNanos time in the queue, summed over the dispatched
   * @param waitErrorNanos by how much the wait that was expected of each when it was queued was too
   *     long or too short, summed over the dispatched
   * @param expectedNanos how long one that comes now has to expect to wait; 0 while nothing waits
   */
  public record ClassState(
      int queued,
      int inFlight,
      long dispatched,
      long overloaded,
      long shed,
      long expired,
      long cancelled,
      long moved,
      long waitNanos,
      long waitErrorNanos,
      long expectedNanos) {}
}
