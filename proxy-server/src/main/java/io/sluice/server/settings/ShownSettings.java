package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.setting.Secret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the settings of a process: each key with its value, its default and its source. Stateless.
 */
final class ShownSettings {

  private ShownSettings() {}

  /**
   * Returns all keys that have a default or are set.
   *
   * @param given the file, with the keys of the start that cannot change
   * @param changes the keys that operators have changed
   */
  static List<Setting> of(
      JsonNode defaults, ObjectNode given, Map<String, OperatorChange> changes) {
    List<Setting> all = new ArrayList<>();
    ObjectNode tree = given.deepCopy();
    changes.forEach((key, to) -> LiveKeys.path(key).putInto(tree, to.value().deepCopy()));
    visit(
        "",
        defaults,
        tree,
        (key, byDefault, value) -> {
          OperatorChange changed = changes.get(key);
          JsonNode effective =
              changed != null ? changed.value() : value != null ? value : byDefault;
          all.add(
              new Setting(
                  key,
                  text(key, effective),
                  text(key, byDefault),
                  changed != null ? Source.CONSOLE : value != null ? Source.FILE : Source.DEFAULT,
                  LiveKeys.contains(key, given) ? Changes.LIVE : Changes.RESTART,
                  changed == null ? null : changed.operator(),
                  null));
        });
    return all;
  }

  /** Returns the value of each key that has a default or is set. */
  static Map<String, JsonNode> values(JsonNode defaults, JsonNode given) {
    Map<String, JsonNode> values = new HashMap<>();
    visit(
        "",
        defaults,
        given,
        (key, byDefault, value) -> {
          JsonNode effective = value != null ? value : byDefault;
          values.put(key, effective == null ? NullNode.getInstance() : effective);
        });
    return values;
  }

  /** Receives each key. */
  private interface Visitor {
    void key(String key, @Nullable JsonNode byDefault, @Nullable JsonNode given);
  }

  private static void visit(
      String path, @Nullable JsonNode defaults, @Nullable JsonNode given, Visitor visitor) {
    if (isValue(defaults, given)) {
      visitor.key(path, defaults, given == null || given.isNull() ? null : given);
      return;
    }
    Set<String> keys = new TreeSet<>();
    Stream.of(defaults, given)
        .filter(ObjectNode.class::isInstance)
        .forEach(each -> each.fieldNames().forEachRemaining(keys::add));
    for (String key : keys) {
      String below = path.isEmpty() ? key : path + "." + key;
      visit(below, child(defaults, key), child(given, key), visitor);
    }
  }

  /**
   * Whether this is a value. So is a section without known keys, because operators choose its keys.
   */
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
    } else if (SecretKeys.contains(path)) {
      return Secret.HIDDEN;
    }
    return value.isValueNode() ? UnsetVariables.unmark(value.asText()) : SecretKeys.text(value);
  }
}
