package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds sub-requests back per node and says which one runs next. It has no thread: whoever submits
 * or finishes something also starts what that made possible, after unlocking. Safe for any thread.
 */
public final class Scheduler {
  private final NanoClock clock;
  private final AtomicLong sequence = new AtomicLong();

  /**
   * Knows no node yet.
   *
   * @param config the settings
   * @param clock the only clock it reads
   */
  public Scheduler(SchedulingConfig config, NanoClock clock) {
    this.clock = clock;
  }

  /**
   * Replaces the set of nodes. What is queued at one that is gone moves to another replica it
   * named, or is refused as unavailable.
   */
  public void nodes(Collection<NodeLimits> nodes) {}

  /**
   * A node believed down or hung: it gets nothing new while another replica is there, and what is
   * queued there goes elsewhere if it can.
   */
  public void suspect(NodeId node, boolean suspect) {}

  /** A client request that arrives now; the order of these calls breaks all ties. */
  public Query query(QueryFacts facts) {
    return new Query(facts, sequence.incrementAndGet(), clock.nanoTime());
  }

  /** Chooses one of the demand's replicas, and starts it there, queues it there or refuses it. */
  public void submit(Demand demand) {
    demand.start(demand);
  }

  /**
   * Takes a demand out of its queue: client gone, deadline passed, answer complete.
   *
   * @return false when it is not queued: {@code start} or {@code refuse} was called or is about to
   *     be
   */
  public boolean cancel(Demand demand) {
    return false;
  }

  /**
   * Lowers what is left of a query; all its queued sub-requests move forward. A higher value than
   * before is ignored.
   *
   * @param workMicros work left, µs
   */
  public void remaining(Query query, double workMicros) {}

  /** The state now. Takes each node's lock in turn, shortly. */
  public SchedulerSnapshot snapshot() {
    return new SchedulerSnapshot(List.of(), 0);
  }
}
