package io.sluice.agent.queue;

/**
 * A priority of waiting tasks. An earlier lane is served before a later one, until a task is
 * overdue.
 */
public enum Lane {
  /** Point reads of this node's own clients, and everything that could not be told apart. */
  LOCAL_POINT,
  /** Point reads that another coordinator asked for. */
  REMOTE_POINT,
  /** Range reads of any origin, narrow ones first. */
  RANGE
}
