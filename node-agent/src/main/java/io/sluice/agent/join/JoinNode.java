package io.sluice.agent.join;

import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** The parts of the node that {@link Join} needs. Safe for any thread. */
public interface JoinNode {
  /** Whether the node bootstraps, and its streams are not over. */
  boolean isBootstrapping();

  /** Notes that the deferral begins, and makes it visible to operators. */
  void begins(Join join) throws JMException;

  /** Notes that no further syncs are deferred. Called at most once. */
  void ended(String why, @Nullable Throwable cause);

  /** Logs a line for operators. */
  void say(String text);

  /** Returns the nanoseconds since an arbitrary moment. */
  long nanos();
}
