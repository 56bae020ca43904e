package io.sluice.server.live;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The console of a running proxy for an operator. Safe for any thread. */
public interface ConsoleView {

  /**
   * Runs a SELECT from {@code system_proxy}.
   *
   * @param then called once, with a JSON array that has one object for each row
   */
  void select(String cql, Consumer<String> then);

  /**
   * Ends a request in flight.
   *
   * @param operator the operator, for the request's client and for the log
   * @param then called once, with whether the request was still in flight
   */
  void end(long request, String operator, Consumer<Boolean> then);

  /**
   * Changes a setting. Blocks while other settings are changed.
   *
   * @param value the new value; null restores the configuration file's value
   * @param operator the operator, for the log
   * @return the reason why the change is refused; null on success
   */
  @Nullable String set(String key, @Nullable String value, String operator);
}
