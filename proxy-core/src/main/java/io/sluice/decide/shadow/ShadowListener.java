package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;

/**
 * A listener for the shadow's results. All times are in ns; {@code at} is the time of the event on
 * the scheduler's clock, and never decreases. Called by one thread at a time.
 */
public interface ShadowListener {

  /** A listener that ignores everything. */
  ShadowListener NONE = new ShadowListener() {};

  /** Receives the answer of a real node to a read, and the time since it was sent. */
  default void answered(NodeId node, PriorityClass priorityClass, long tookNanos, long at) {}

  /**
   * Receives the answer of a virtual node to a read: its wait, and its total time with that wait.
   */
  default void wouldAnswer(
      NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {}

  /** Receives the refusal of a read by the virtual scheduler. */
  default void wouldRefuse(
      NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {}
}
