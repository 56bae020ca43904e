package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;
import java.util.List;

/**
 * An observer of a {@link Scheduler}: it is told of nodes and settings always, of reads as long as
 * the mode is {@code OBSERVE}. Times are on the scheduler's clock. Safe for any thread; called on
 * the path of requests, so it may only write down.
 */
public interface SchedulerWitness {

  /** One that takes no note of anything. */
  SchedulerWitness NONE = new SchedulerWitness() {};

  /**
   * A node's answer.
   *
   * @param rows rows that were read; negative when they were not counted
   * @param bytes size of the answer
   * @param workNanos the work that was in it, by what is known of its table, ns; above 0
   * @param tookNanos time from when it was sent, ns; at least 1
   * @param at when it came
   */
  record Answer(long rows, long bytes, double workNanos, long tookNanos, long at) {}

  /** These are all nodes from now on. */
  default void nodes(List<NodeLimits> nodes, long at) {}

  /** A node is preferred more or less than before. */
  default void standing(NodeId node, NodeStanding standing, long at) {}

  /** The settings have changed. */
  default void settings(SchedulingConfig settings, long at) {}

  /** A sub-request is about to be started; {@link Demand#submittedNanos} says when it came. */
  default void submitted(Demand demand) {}

  /** Less is left of a request; see {@link Scheduler#remaining(Query, double, int)}. */
  default void remaining(Query query, double rows, int subRequests, long at) {}

  /** A sub-request that {@link #submitted} told of was answered. */
  default void answered(Demand demand, Answer answer) {}

  /** It ended in a way that says nothing of the node. A time-out or an overload is not told. */
  default void abandoned(Demand demand, long at) {}
}
