package io.sluice.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** One tree of settings laid over another, section by section; lists replace lists. */
final class Merged {

  private Merged() {}

  /** {@code above} where it says something, else {@code below}; neither is changed. */
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
