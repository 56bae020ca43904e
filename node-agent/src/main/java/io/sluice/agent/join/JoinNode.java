package io.sluice.agent.join;

import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** The node around the room, as far as the room needs it. Safe for any thread. */
public interface JoinNode {
  /** Whether the node is being bootstrapped. */
  boolean isBootstrapping();

  /** The room begins to work: operators can see it from now on. */
  void begins(Join join) throws JMException;

  /** The room puts nothing off any more. Called once at most. */
  void ended(String why, @Nullable Throwable cause);

  /** Something an operator should know. */
  void say(String text);

  /** The time, in nanoseconds since some moment. */
  long nanos();
}
