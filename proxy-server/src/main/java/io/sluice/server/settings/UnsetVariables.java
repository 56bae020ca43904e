package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds variables in a file that have neither a value nor a default, and files that stand for a
 * value. Braces have another meaning in YAML's flow style, so each variable is replaced by a mark
 * before parsing. Stateless.
 */
final class UnsetVariables {

  private static final Pattern IN_TEXT = Pattern.compile("\\$\\{((?:file:)?[^}:]+)}");
  static final Pattern MARKED = Pattern.compile("\uE000(.*?)\uE001");

  private UnsetVariables() {}

  /** Returns the mark of one variable in a text that is not parsed yet. */
  static String marked(String name) {
    return "\uE000" + name + "\uE001";
  }

  /** Marks each variable that is left in the text after substitution. */
  static String mark(String text) {
    return IN_TEXT.matcher(text).replaceAll("\uE000$1\uE001");
  }

  /** Returns the text as before {@link #mark}. */
  static String unmark(String text) {
    return MARKED.matcher(text).replaceAll("\\${$1}");
  }

  /** Returns the places of marks in a parsed tree, each with the name of its variable. */
  static Map<SettingsPath, String> in(JsonNode tree) {
    Map<SettingsPath, String> found = new LinkedHashMap<>();
    SettingsPath.walk(
        tree,
        (path, value) -> {
          Matcher marked = MARKED.matcher(value.asText());
          if (marked.find()) {
            found.put(path, marked.group(1));
          }
        });
    return found;
  }
}
