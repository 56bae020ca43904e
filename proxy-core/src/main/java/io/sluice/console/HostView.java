package io.sluice.console;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facts about the process that only its host knows. Safe for any thread. */
public interface HostView {

  /** A host without settings. */
  HostView NONE = List::of;

  /** Returns the settings in effect. */
  List<Setting> settings();

  /** Whether a key can be set although {@link #settings} has no such key yet. */
  default boolean accepts(String key) {
    return false;
  }

  /**
   * Changes a setting of the running process. Blocks while other settings are changed.
   *
   * @param key its key with dots
   * @param value the value as in the configuration file; null restores the file's value
   * @param operator the operator, for the log
   * @param proxy receives the new settings of the proxy; not called when the change is refused
   * @return the reason why the change is refused; null on success
   */
  default @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    return "The settings of this process cannot change while it runs";
  }

  /**
   * Changes a setting likewise, for a caller that must not block.
   *
   * @param then called once, on any thread, with the reason why the change is refused; null on
   *     success
   */
  default void change(
      String key,
      @Nullable String value,
      String operator,
      Consumer<LiveConfig> proxy,
      Consumer<@Nullable String> then) {
    then.accept(change(key, value, operator, proxy));
  }

  /** Returns the configuration file; empty when there is none. */
  default List<Configuration> configuration() {
    return List.of();
  }

  /**
   * Reads the configuration file again.
   *
   * @param operator the operator, for the log
   * @param then called once, on any thread, with the reason why the file is refused; null when its
   *     settings are in effect, except those that need a restart
   */
  default void reload(String operator, Consumer<@Nullable String> then) {
    then.accept("This process has no configuration file");
  }

  /** Returns the last warnings and errors of the log. */
  default List<LogLine> log() {
    return List.of();
  }

  /**
   * One setting of the process, as {@code system_proxy.settings} shows it.
   *
   * @param key its key with dots, for example {@code cql.port}
   * @param value the value in effect; hidden if it is a secret
   * @param defaultValue the default; empty for none
   * @param source its origin
   * @param changes when a change takes effect
   * @param changedBy the operator of the last change; null if the value is not from the console
   * @param afterRestart the value after a restart; null for the same
   */
  record Setting(
      String key,
      String value,
      String defaultValue,
      Source source,
      Changes changes,
      @Nullable String changedBy,
      @Nullable String afterRestart) {

    /** The origin of a value. */
    public enum Source {
      DEFAULT,
      FILE,
      CONSOLE
    }

    /** When a change takes effect. */
    public enum Changes {
      LIVE,
      RESTART
    }

    /** Creates a setting that no operator has changed, and a restart does not change. */
    public Setting(String key, String value, String defaultValue, Source source, Changes changes) {
      this(key, value, defaultValue, source, changes, null, null);
    }

    /** Whether a change takes effect while the process runs. */
    boolean isLive() {
      return changes == Changes.LIVE;
    }

    /** Returns a copy with another value after a restart. */
    public Setting withAfterRestart(String then) {
      return new Setting(key, value, defaultValue, source, changes, changedBy, then);
    }
  }

  /**
   * The configuration file of the process, as {@code system_proxy.configuration} shows it.
   *
   * @param file its path
   * @param state whether the content that was read last is in effect
   * @param since when the settings in effect were read
   * @param readAt when the file was read last
   * @param readFor the operator or signal that caused this reading
   * @param error the fault in the content that was read last; null for none
   * @param changed the keys that it changed, each with the old and the new value; empty for none
   * @param pending the keys that will have other values after a restart; empty for none
   * @param reloads number of readings since the start
   * @param refused number of refused readings
   */
  record Configuration(
      String file,
      State state,
      Instant since,
      Instant readAt,
      String readFor,
      @Nullable String error,
      String changed,
      String pending,
      long reloads,
      long refused) {

    /** The state of the content that was read last. */
    public enum State {
      CURRENT,

      /** It is not valid, so that earlier settings stay in effect. */
      REFUSED
    }
  }

  /**
   * A line of the process's log.
   *
   * @param number its number, counted from the start
   * @param time when it was written
   * @param level for example {@code WARN}
   * @param source the name of its logger
   * @param text the message
   */
  record LogLine(long number, Instant time, String level, String source, String text) {}
}
