package io.sluice.console;

import java.time.Instant;
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

  /** The configuration file; empty when there is none. */
  default List<Configuration> configuration() {
    return List.of();
  }

  /**
   * Reads the configuration file again.
   *
   * @param operator the operator, for the log
   * @param then called once, on any thread, with the reason why the file is refused; null when what
   *     it says holds, as far as it needs no restart
   */
  default void reload(String operator, Consumer<@Nullable String> then) {
    then.accept("This process has no configuration file");
  }

  /** The last warnings and errors of its log. */
  default List<LogLine> log() {
    return List.of();
  }

  /**
   * One setting of the process, as {@code system_proxy.settings} shows it.
   *
   * @param key its key with dots, for example {@code cql.port}
   * @param value what holds; hidden where it is a secret
   * @param defaultValue what would hold if it were not set; empty for none
   * @param source where it comes from, {@code default}, {@code file} or {@code console}
   * @param changes when a change takes effect, {@code live} or at {@code restart}
   * @param afterRestart what will hold after a restart; null for the same
   */
  record Setting(
      String key,
      String value,
      String defaultValue,
      String source,
      String changes,
      @Nullable String afterRestart) {

    /** A setting that a restart leaves as it is. */
    public Setting(String key, String value, String defaultValue, String source, String changes) {
      this(key, value, defaultValue, source, changes, null);
    }

    /** The same with another value after a restart. */
    public Setting withAfterRestart(String then) {
      return new Setting(key, value, defaultValue, source, changes, then);
    }
  }

  /**
   * The configuration file of the process, as {@code system_proxy.configuration} shows it.
   *
   * @param file its path
   * @param state {@code current}, or {@code refused} when the last content that was read is not
   *     valid
   * @param since when what holds was read
   * @param readAt when the file was read last
   * @param readFor who asked for that, for people
   * @param error what was wrong then; null when nothing was
   * @param changed the keys that it changed, each with the old and the new value; empty for none
   * @param pending the keys that will have other values after a restart; empty for none
   * @param reloads how often the file was read since the start
   * @param refused how often it was refused
   */
  record Configuration(
      String file,
      String state,
      Instant since,
      Instant readAt,
      String readFor,
      @Nullable String error,
      String changed,
      String pending,
      long reloads,
      long refused) {}

  /**
   * A line of the process's log.
   *
   * @param number of the line, counted from the start
   * @param time when it was written
   * @param level for example {@code WARN}
   * @param source the name of its logger
   * @param text the message
   */
  record LogLine(long number, Instant time, String level, String source, String text) {}
}
