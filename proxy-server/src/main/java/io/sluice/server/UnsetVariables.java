package io.sluice.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables in a file that have neither a value nor a default, and files that stand for a value.
 * Braces have a meaning of their own in YAML's flow style, so a variable is marked before the text
 * is parsed.
 */
final class UnsetVariables {

  private static final Pattern IN_TEXT = Pattern.compile("\\$\\{((?:file:)?[^}:]+)}");
  static final Pattern MARKED = Pattern.compile("\uE000(.*?)\uE001");

  private UnsetVariables() {}

  /** The mark of one variable in a text that is still to be parsed. */
  static String marked(String name) {
    return "\uE000" + name + "\uE001";
  }

  /** The text after substitution, with each variable that is left as a plain word. */
  static String mark(String text) {
    return IN_TEXT.matcher(text).replaceAll("\uE000$1\uE001");
  }

  /** The text as it was before {@link #mark}. */
  static String unmark(String text) {
    return MARKED.matcher(text).replaceAll("\\${$1}");
  }

  /** Places in a tree parsed from marked text, each with the name of its variable. */
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
