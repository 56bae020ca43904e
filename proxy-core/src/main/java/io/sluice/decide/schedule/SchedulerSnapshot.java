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
   * @param behindRangesNanos time that point reads have waited for the node, counted by the share
   *     of range reads in flight there
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
      double behindRangesNanos,
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
   * @param predictedNanos work that was predicted of those that the node has answered, summed
   * @param doneNanos work that was in these, by what the answers have shown, summed
   * @param expectedNanos how long one that comes now has to expect to wait; 0 while nothing waits
   * @param oldestNanos how long the one that has waited longest has waited; 0 while nothing waits
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
      double predictedNanos,
      double doneNanos,
      long expectedNanos,
      long oldestNanos) {}

  /**
   * One tenant at one node, as the queue that is fair to tenants knows it. A read that starts
   * without waiting takes no other's turn and is not counted.
   *
   * @param tenant its name: a role, or what a rule calls it
   * @param weight its share
   * @param points point reads of it that wait
   * @param ranges range reads, or pieces of them, that wait
   * @param inFlight reads of it that have waited, and have started and not finished
   * @param served reads of it that have waited and started, since the node became known
   * @param workNanos the work in these, as far as it is known, ns
   * @param refused reads of it that were refused there, whether they had waited or not
   */
  public record TenantState(
      String tenant,
      double weight,
      int points,
      int ranges,
      int inFlight,
      long served,
      double workNanos,
      long refused) {}
}
