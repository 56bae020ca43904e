package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose values can change while the process runs. All others are read only at its start.
 * Stateless.
 */
final class LiveKeys {

  static final String LEVEL = "logging.level";

  private static final String LOGGERS = "logging.loggers";
  private static final String LOGGER = LOGGERS + ".";

  /** The parts of a logger with appenders of its own. */
  private static final List<String> PARTS = List.of("level", "additive", "appenders");

  private static final List<String> SECTIONS = List.of("scheduling", "slowLog", "audit");

  private static final List<String> SINGLE =
      List.of("requestTimeout", "nodeAgent.hints", "console.roles", "rules", "drainTimeout", LEVEL);

  private LiveKeys() {}

  /**
   * Whether a key can change.
   *
   * @param started the file at the start of the process
   */
  static boolean contains(String key, JsonNode started) {
    return SECTIONS.stream().anyMatch(section -> key.startsWith(section + "."))
        || isLevel(key, started)
        || SINGLE.contains(key);
  }

  /**
   * Whether the key is the level of a logger that has no appenders of its own. Operators choose the
   * names of loggers.
   */
  static boolean isLevel(String key, JsonNode started) {
    return isLogger(key) && !isOfOwnAppenders(key, started);
  }

  private static boolean isLogger(String key) {
    return key.startsWith(LOGGER) && key.length() > LOGGER.length();
  }

  /** Whether the key is a logger that is created only at the start, or a part of one. */
  private static boolean isOfOwnAppenders(String key, JsonNode started) {
    SettingsPath loggers = SettingsPath.of(LOGGERS);
    return names(loggers.in(started)).stream()
        .filter(name -> loggers.child(name).in(started) instanceof ObjectNode)
        .map(name -> LOGGER + name)
        .anyMatch(
            logger ->
                key.equals(logger)
                    || PARTS.stream().anyMatch(part -> key.equals(logger + "." + part)));
  }

  /** Returns the place of a key. The name of a logger itself contains dots. */
  static SettingsPath path(String key) {
    return isLogger(key)
        ? new SettingsPath(List.of("logging", "loggers", key.substring(LOGGER.length())))
        : SettingsPath.of(key);
  }

  /**
   * Returns the tree in effect while the process runs.
   *
   * @param started the file at the start of the process
   * @param latest the current file
   * @return the live keys of {@code latest}, the others of {@code started}
   */
  static ObjectNode over(ObjectNode started, ObjectNode latest) {
    ObjectNode tree = started.deepCopy();
    SECTIONS.forEach(key -> copy(SettingsPath.of(key), latest, tree));
    SINGLE.forEach(key -> copy(SettingsPath.of(key), latest, tree));
    SettingsPath loggers = SettingsPath.of(LOGGERS);
    Set<String> names = new HashSet<>(names(loggers.in(started)));
    names.addAll(names(loggers.in(latest)));
    for (String name : names) {
      SettingsPath logger = loggers.child(name);
      // A logger with its own appenders is created only at the start.
      if (!(logger.in(started) instanceof ObjectNode)
          && !(logger.in(latest) instanceof ObjectNode)) {
        copy(logger, latest, tree);
      }
    }
    return tree;
  }

  private static void copy(SettingsPath path, ObjectNode from, ObjectNode to) {
    JsonNode value = path.in(from);
    if (value == null) {
      path.removeFrom(to);
    } else {
      path.putInto(to, value.deepCopy());
    }
  }

  private static Set<String> names(@Nullable JsonNode loggers) {
    Set<String> names = new HashSet<>();
    if (loggers != null) {
      loggers.fieldNames().forEachRemaining(names::add);
    }
    return names;
  }
}
