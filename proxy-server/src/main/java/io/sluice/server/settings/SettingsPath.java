package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A place in a configuration file. A step may itself contain dots, like the names of loggers.
 * Immutable.
 *
 * @param steps from the top: the keys of sections, "[n]" for the elements of lists
 */
record SettingsPath(List<String> steps) {

  SettingsPath {
    steps = List.copyOf(steps);
  }

  /** Parses a path such as {@code cluster.contactPoints[1]}. */
  static SettingsPath of(String dotted) {
    return new SettingsPath(List.of(dotted.replace("[", ".[").split("\\.", -1)));
  }

  /**
   * Returns the place in {@code tree} where Jackson stopped. Jackson does not count removed
   * elements of a list.
   */
  static SettingsPath of(List<Reference> references, JsonNode tree) {
    SettingsPath path = new SettingsPath(List.of());
    for (Reference reference : references) {
      String name = reference.getFieldName();
      path = path.child(name == null ? element(path.in(tree), reference.getIndex()) : name);
    }
    return path;
  }

  private static String element(@Nullable JsonNode list, int counted) {
    int index = counted;
    for (int i = 0; list != null && i <= index && i < list.size(); i++) {
      index += list.get(i).isNull() ? 1 : 0;
    }
    return "[" + index + "]";
  }

  String last() {
    return steps.isEmpty() ? "" : steps.get(steps.size() - 1);
  }

  SettingsPath parent() {
    return new SettingsPath(steps.subList(0, Math.max(0, steps.size() - 1)));
  }

  SettingsPath child(String step) {
    return new SettingsPath(Stream.concat(steps.stream(), Stream.of(step)).toList());
  }

  boolean startsWith(SettingsPath other) {
    return steps.size() >= other.steps.size()
        && steps.subList(0, other.steps.size()).equals(other.steps);
  }

  /** Returns the node at this place of {@code tree}; null for nothing. */
  @Nullable JsonNode in(JsonNode tree) {
    JsonNode node = tree;
    for (String step : steps) {
      node = node.isArray() ? node.path(index(step)) : node.path(step);
    }
    return node.isMissingNode() || node.isNull() ? null : node;
  }

  /** Calls {@code visitor} for each single value of {@code tree}. */
  static void walk(JsonNode tree, BiConsumer<SettingsPath, JsonNode> visitor) {
    new SettingsPath(List.of()).walkFrom(tree, visitor);
  }

  private void walkFrom(JsonNode node, BiConsumer<SettingsPath, JsonNode> visitor) {
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        child("[" + i + "]").walkFrom(node.get(i), visitor);
      }
    } else if (node.isObject()) {
      node.properties().forEach(entry -> child(entry.getKey()).walkFrom(entry.getValue(), visitor));
    } else {
      visitor.accept(this, node);
    }
  }

  /**
   * Removes the node at this place. Returns false when there was none. Lists keep their indices.
   */
  boolean removeFrom(JsonNode tree) {
    if (steps.isEmpty() || in(tree) == null) {
      return false;
    }
    JsonNode parent = parent().in(tree);
    if (parent instanceof ArrayNode list) {
      list.setNull(index(last()));
      return true;
    }
    return parent instanceof ObjectNode section && section.remove(last()) != null;
  }

  /** Replaces the node at this place by a text. */
  void replaceIn(JsonNode tree, String text) {
    JsonNode parent = parent().in(tree);
    if (parent instanceof ArrayNode list) {
      list.set(index(last()), list.textNode(text));
    } else if (parent instanceof ObjectNode section) {
      section.put(last(), text);
    }
  }

  /** Puts a value at this place, and creates the sections around it. */
  void putInto(ObjectNode tree, JsonNode value) {
    ObjectNode section = tree;
    for (String step : parent().steps) {
      section = section.withObjectProperty(step);
    }
    section.set(last(), value);
  }

  private static int index(String step) {
    return step.startsWith("[") ? Integer.parseInt(step.substring(1, step.length() - 1)) : -1;
  }

  @Override
  public String toString() {
    return String.join(".", steps).replace(".[", "[");
  }
}
