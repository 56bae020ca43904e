package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;

/**
 * A listener for what the shadow finds. All times are in ns; {@code at} is when it would happen, on
 * the scheduler's clock, and never falls. Called by one thread at a time.
 */
public interface ShadowListener {

  /** A listener that takes no note of anything. */
  ShadowListener NONE = new ShadowListener() {};

  /** A real node has answered a read; this is how long it took from when it was sent. */
  default void answered(NodeId node, PriorityClass priorityClass, long tookNanos, long at) {}

  /** A read would have been answered: it would have waited, and taken so long with that wait. */
  default void wouldAnswer(
      NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {}

  /** A read would have been refused at a node. */
  default void wouldRefuse(
      NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {}
}
