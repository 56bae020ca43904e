package io.sluice.decide.plan;

import io.sluice.ring.NodeId;

/**
 * The nodes that have time for a part of a page, at the moment of the call. Safe for any thread.
 */
public interface IdleNodes {

  /** No node has time, so pages are not divided. */
  IdleNodes NONE =
      new IdleNodes() {
        @Override
        public boolean isIdle(NodeId node) {
          return false;
        }

        @Override
        public double leastRows() {
          return Double.POSITIVE_INFINITY;
        }
      };

  /** Whether a node has nothing to do, or will soon have done all. */
  boolean isIdle(NodeId node);

  /** Returns the least number of rows that are worth a request of their own; more than 0. */
  double leastRows();
}
