package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one class in the last minute, at one node or in all: as they are, and by estimate as
 * they would be with the scheduler. Times are in ns; 0 without reads.
 *
 * @param node the node; null for all together
 * @param priorityClass the class
 * @param slots reads of the class that the scheduler would now give the node at once
 * @param queued reads that would wait now
 * @param now actual times of reads at the node, since they were sent
 * @param would times that they would take, with their wait
 * @param waits times that they would wait
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
   * A distribution of times.
   *
   * @param reads number of reads
   * @param p50 the median
   * @param p99 the 99th percentile
   */
  public record Times(long reads, long p50, long p99) {}

  /** The states of no nodes. */
  public static final List<ShadowState> NONE = List.of();
}
