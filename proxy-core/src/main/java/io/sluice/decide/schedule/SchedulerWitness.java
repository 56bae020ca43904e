package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;
import java.util.List;

/**
 * An observer of a {@link Scheduler}. It always receives nodes and settings, and reads while the
 * mode is {@code OBSERVE}. Times are on the scheduler's clock. Safe for any thread. The calls come
 * on the request path, so an implementation may only record them.
 */
public interface SchedulerWitness {

  /** A witness that ignores everything. */
  SchedulerWitness NONE = new SchedulerWitness() {};

  /**
   * A node's answer.
   *
   * @param rows rows that were read; negative when they were not counted
   * @param bytes size of the answer
   * @param workNanos the work in the answer by the costs of its table, ns; above 0
   * @param tookNanos time since the read was sent, ns; at least 1
   * @param at when the answer came
   */
  record Answer(long rows, long bytes, double workNanos, long tookNanos, long at) {}

  /** Receives the full set of nodes, valid from now on. */
  default void nodes(List<NodeLimits> nodes, long at) {}

  /** Receives a node's new standing. The calls for one node come in the order of the changes. */
  default void standing(NodeId node, NodeStanding standing, long at) {}

  /** Receives new settings. */
  default void settings(SchedulingConfig settings, long at) {}

  /**
   * Receives a sub-request that is about to be started; {@link Demand#submittedNanos} says when it
   * was submitted.
   */
  default void submitted(Demand demand) {}

  /**
   * Receives the lowered remaining work of a request; see {@link Scheduler#remaining(Query, double,
   * int)}.
   */
  default void remaining(Query query, double rows, int subRequests, long at) {}

  /** Receives the answer to a sub-request that {@link #submitted} received. */
  default void answered(Demand demand, Answer answer) {}

  /**
   * Receives the end of a sub-request that says nothing about the node. Timeouts and overload
   * errors are not reported.
   */
  default void abandoned(Demand demand, long at) {}
}
