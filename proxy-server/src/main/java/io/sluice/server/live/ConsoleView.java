package io.sluice.server.live;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The console of a running proxy, as an operator uses it. Safe for any thread. */
public interface ConsoleView {

  /**
   * Runs a SELECT from {@code system_proxy}.
   *
   * @param then called once, with a JSON array of one object for each row
   */
  void select(String cql, Consumer<String> then);

  /**
   * Ends a request under way.
   *
   * @param operator the operator, for the request's client and for the log
   * @param then called once, with whether it was under way still
   */
  void end(long request, String operator, Consumer<Boolean> then);

  /**
   * Changes a setting.
   *
   * @param value null for what the configuration file has
   * @param operator the operator, for the log
   * @return the reason why the change is refused; null when it is made
   */
  @Nullable String set(String key, @Nullable String value, String operator);
}
