package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One class of reads at one node, or at all, in the last minute: as it is, and by estimate as it
 * would be with the scheduler. Times are in ns; 0 where there were no reads.
 *
 * @param node the node; null for all together
 * @param priorityClass the class
 * @param slots reads of the class that the scheduler would give the node at once now
 * @param queued reads that would wait now
 * @param now how long reads took at the node, from when they were sent
 * @param would how long they would take, their wait included
 * @param waits how long they would wait
 * @param wouldRefuse reads that would be refused
 */
public record ShadowState(
    @Nullable NodeId node,
    PriorityClass priorityClass,
    int slots,
    int queued,
    Times now,
    Times would,
    Times waits,
    long wouldRefuse) {

  /**
   * Times of reads.
   *
   * @param reads how many
   * @param p50 the median
   * @param p99 the 99th percentile
   */
  public record Times(long reads, long p50, long p99) {}

  /** The states of no nodes. */
  public static final List<ShadowState> NONE = List.of();
}
