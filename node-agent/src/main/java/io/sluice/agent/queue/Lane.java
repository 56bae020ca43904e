package io.sluice.agent.queue;

/**
 * A priority of queued tasks. An earlier lane is served before a later one, until a task is
 * overdue.
 */
public enum Lane {
  /** Point reads of this node's own clients, and all tasks that could not be classified. */
  LOCAL_POINT,
  /** Point reads of other coordinators. */
  REMOTE_POINT,
  /** Range reads of any origin, narrow ones first. */
  RANGE
}
