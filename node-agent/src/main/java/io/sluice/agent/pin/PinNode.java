package io.sluice.agent.pin;

import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** The parts of the node that {@link Pin} needs. Safe for any thread. */
public interface PinNode {
  /** Whether Cassandra has opened its tables. */
  boolean isUp();

  /** Notes that {@code pin} begins, and makes it visible to operators. */
  void begins(Pin pin) throws JMException;

  /**
   * Notes that {@code pin} has ended and released all files. Called at most once.
   *
   * @param why the reason; null if it was logged already
   */
  void ended(@Nullable String why, @Nullable Throwable cause);

  /** Logs a line for operators. */
  void say(String text);

  /**
   * Returns the reads of each of these tables, {@code ks.table}, since it was opened; 0 if unknown.
   */
  Map<String, Long> reads(Set<String> tables);

  /** Returns the nanoseconds since an arbitrary moment. */
  long nanos();
}
