package io.sluice.console;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facts about the process that only its host knows. Safe for any thread. */
public interface HostView {

  /** Knows nothing. */
  HostView NONE = List::of;

  /** The settings in effect. */
  List<Setting> settings();

  /**
   * Changes a setting of the running process.
   *
   * @param key its key with dots
   * @param value what the configuration file would have there; null for what the file does have
   * @param operator the operator, for the log
   * @param proxy takes the settings of the proxy over; not called when the change is refused
   * @return the reason why the change is refused; null when it is made
   */
  default @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    return "The settings of this process do not change while it runs";
  }

  /** The last warnings and errors of its log. */
  default List<LogLine> log() {
    return List.of();
  }
}
