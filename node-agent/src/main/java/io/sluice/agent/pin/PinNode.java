package io.sluice.agent.pin;

import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** The node around the room, as far as the room needs it. Safe for any thread. */
public interface PinNode {
  /** Whether Cassandra has opened its tables. */
  boolean isUp();

  /** The room begins to work: operators can see it from now on. */
  void begins(Pin pin) throws JMException;

  /**
   * The room has ended and has let go of everything. Called once at most.
   *
   * @param why null if that was told already
   */
  void ended(@Nullable String why, @Nullable Throwable cause);

  /** Something an operator should know. */
  void say(String text);

  /** Reads of each of these tables, {@code ks.table}, since it was opened; 0 if that is unknown. */
  Map<String, Long> reads(Set<String> tables);

  /** The time, in nanoseconds since some moment. */
  long nanos();
}
