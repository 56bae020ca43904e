package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The levels of logging. Finds unknown levels in a file, which Logback would take for DEBUG.
 * Stateless.
 */
final class LogLevels {

  static final List<String> KNOWN =
      List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF", "ALL");

  private LogLevels() {}

  /** Returns the places in {@code file} with an unknown level, each with the level. */
  static Map<SettingsPath, String> unknown(JsonNode file) {
    Map<SettingsPath, String> unknown = new LinkedHashMap<>();
    SettingsPath.walk(
        file,
        (path, value) -> {
          boolean known = KNOWN.contains(value.asText().toUpperCase(Locale.ROOT));
          if (isLevel(path.steps()) && value.isTextual() && !known) {
            unknown.put(path, value.asText());
          }
        });
    return unknown;
  }

  /** Replaces levels that are false by OFF, for the reason of {@link OffForFalse}. */
  static void putOffForFalse(ObjectNode file) {
    SettingsPath.walk(
        file,
        (path, value) -> {
          if (isLevel(path.steps()) && value.equals(BooleanNode.FALSE)) {
            path.replaceIn(file, "OFF");
          }
        });
  }

  private static boolean isLevel(List<String> steps) {
    if (steps.size() < 2 || !steps.get(0).equals("logging")) {
      return false;
    }
    String last = steps.get(steps.size() - 1);
    return switch (steps.get(1)) {
      case "level" -> steps.size() == 2;
      case "loggers" -> steps.size() == 3 || (steps.size() == 4 && last.equals("level"));
      case "appenders" -> last.equals("threshold");
      default -> false;
    };
  }
}
