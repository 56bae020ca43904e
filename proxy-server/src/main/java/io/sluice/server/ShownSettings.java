package io.sluice.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.console.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings of a process as lines: each key with its value, its default and its source. */
final class ShownSettings {

  private static final String HIDDEN = "***";
  private static final List<String> SECRET = List.of("password", "secret", "token");

  private ShownSettings() {}

  /**
   * All keys that have a default or are given.
   *
   * @param given the file
   * @param changes the values of keys that operators have changed
   */
  static List<Setting> of(JsonNode defaults, JsonNode given, Map<String, JsonNode> changes) {
    List<Setting> all = new ArrayList<>();
    add("", defaults, given, all);
    all.replaceAll(setting -> changed(setting, changes.get(setting.key())));
    return all;
  }

  private static Setting changed(Setting setting, @Nullable JsonNode value) {
    String key = setting.key();
    return value == null
        ? setting
        : new Setting(key, text(key, value), setting.defaultValue(), "console", setting.changes());
  }

  private static void add(
      String path, @Nullable JsonNode defaults, @Nullable JsonNode given, List<Setting> all) {
    if (isValue(defaults, given)) {
      boolean set = given != null && !given.isNull();
      all.add(
          new Setting(
              path,
              text(path, set ? given : defaults),
              text(path, defaults),
              set ? "file" : "default",
              LiveSettings.isLive(path) ? "live" : "restart"));
      return;
    }
    Set<String> keys = new TreeSet<>();
    Stream.of(defaults, given)
        .filter(ObjectNode.class::isInstance)
        .forEach(each -> each.fieldNames().forEachRemaining(keys::add));
    for (String key : keys) {
      String below = path.isEmpty() ? key : path + "." + key;
      add(below, child(defaults, key), child(given, key), all);
    }
  }

  /** A section without keys of its own is a value: operators name the keys. */
  private static boolean isValue(@Nullable JsonNode defaults, @Nullable JsonNode given) {
    return defaults instanceof ObjectNode section
        ? section.isEmpty()
        : !(given instanceof ObjectNode);
  }

  private static @Nullable JsonNode child(@Nullable JsonNode node, String key) {
    return node == null ? null : node.get(key);
  }

  private static String text(String path, @Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      return "";
    } else if (isSecret(path)) {
      return HIDDEN;
    }
    return value.isValueNode()
        ? UnsetVariables.unmark(value.asText())
        : hidden(value.deepCopy()).toString();
  }

  private static boolean isSecret(String path) {
    String last = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return SECRET.stream().anyMatch(last::contains);
  }

  /** Hides the secrets inside a list. */
  private static JsonNode hidden(JsonNode value) {
    if (value instanceof ObjectNode section) {
      for (Map.Entry<String, JsonNode> entry : section.properties()) {
        if (isSecret(entry.getKey())) {
          entry.setValue(section.textNode(HIDDEN));
        } else {
          hidden(entry.getValue());
        }
      }
    } else {
      value.forEach(ShownSettings::hidden);
    }
    return value;
  }
}
