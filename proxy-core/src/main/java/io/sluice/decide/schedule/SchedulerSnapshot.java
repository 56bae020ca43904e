package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;
import java.util.List;

/**
 * The state of the scheduler at one moment, for metrics. Each node is consistent in itself.
 *
 * @param nodes all known nodes
 */
public record SchedulerSnapshot(List<NodeState> nodes) {

  public SchedulerSnapshot {
    nodes = List.copyOf(nodes);
  }

  /**
   * The state of one node.
   *
   * @param node the node
   * @param standing how much the node is preferred to other replicas
   * @param slots sub-requests that the node may run at once (K)
   * @param rangeSlots range sub-requests among these (Kr)
   * @param backlogMicros how long the sub-requests queued and in flight will take at the measured
   *     rate
   * @param rate work done per microsecond when busy: about the number of cores that serve reads
   * @param behindRangesNanos time that point reads have waited for the node, weighted by the share
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

    /** Whether the node probably does not answer. */
    public boolean isSuspect() {
      return standing == NodeStanding.SUSPECT;
    }
  }

  /**
   * The counters of one class of reads at one node. Except {@code queued}, {@code inFlight} and the
   * last two, they count since the node became known.
   *
   * @param queued queued now
   * @param inFlight in flight now
   * @param dispatched started
   * @param overloaded ended with an overload error or a timeout
   * @param shed refused because of the backlog
   * @param expired refused because the deadline could no longer be met
   * @param cancelled removed from the queue by the caller
   * @param moved removed from the queue in favour of another replica
   * @param waitNanos time in the queue, summed over the dispatched reads
   * @param waitErrorNanos difference between the actual wait and the wait expected at queueing,
   *     summed over the dispatched reads
   * @param predictedNanos predicted work of the reads that the node has answered, summed
   * @param doneNanos actual work of these reads, by their answers, summed
   * @param expectedNanos the wait that a read has to expect now, unless it is queued last; 0 while
   *     none is queued
   * @param oldestNanos how long the oldest queued read has waited; 0 while none is queued
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
   * The state of one tenant in one node's fair queue. A read that starts without waiting takes no
   * turn from others and is not counted.
   *
   * @param tenant its name: a role, or the name that a rule sets
   * @param weight its share
   * @param points its queued point reads
   * @param ranges its queued range reads, or pieces of them
   * @param inFlight its reads in flight that have waited
   * @param served its reads that have waited and started, since the node became known or the tenant
   *     was forgotten
   * @param workNanos the work of these, as far as it is known, ns
   * @param refused its reads that were refused there, whether or not they had waited
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
