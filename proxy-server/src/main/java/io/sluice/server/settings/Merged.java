package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Merges two trees of settings, section by section. A list replaces a list. Stateless. */
final class Merged {

  private Merged() {}

  /**
   * Returns a tree with the values of {@code above}, and those of {@code below} for missing keys.
   * Changes neither.
   */
  static JsonNode over(JsonNode below, JsonNode above) {
    if (above.isNull()) {
      return below;
    }
    if (!(below instanceof ObjectNode base) || !(above instanceof ObjectNode given)) {
      return above;
    }
    ObjectNode merged = base.deepCopy();
    given
        .properties()
        .forEach(
            entry -> {
              JsonNode old = base.get(entry.getKey());
              JsonNode value = entry.getValue();
              merged.set(entry.getKey(), old == null ? value : over(old, value));
            });
    return merged;
  }
}
