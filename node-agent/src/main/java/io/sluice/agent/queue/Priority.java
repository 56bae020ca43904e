package io.sluice.agent.queue;

/**
 * The priority of a queued task. Tasks of an earlier one are served before those of a later one,
 * until a task is overdue.
 */
public enum Priority {
  /** Point reads of this node's own clients, and all tasks that could not be classified. */
  LOCAL_POINT,
  /** Point reads of other coordinators. */
  REMOTE_POINT,
  /** Range reads of any origin, narrow ones first. */
  RANGE
}
