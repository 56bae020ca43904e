package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Suggests what to write instead of a fault. Immutable. */
final class Suggestions {
  private static final Map<String, String> EXAMPLES =
      Map.of(
          "cluster.contactPoints", "write contactPoints: [\"10.0.0.1:9042\"]",
          "cluster.localDatacenter",
              "write localDatacenter: datacenter1, as `nodetool status` names it");

  private final JsonNode defaults;

  Suggestions(JsonNode defaults) {
    this.defaults = defaults;
  }

  /** Returns what to write instead of a value: for enums the closest constant, if there is one. */
  String value(SettingsPath path, @Nullable Class<?> type, @Nullable JsonNode written) {
    if (type != null && type.isEnum() && written != null) {
      return Wording.closest(written.asText(), Wording.constants(type))
          .map(Suggestions::didYouMean)
          .orElseGet(() -> theDefault(path));
    }
    return EXAMPLES.getOrDefault(path.toString(), theDefault(path));
  }

  private String theDefault(SettingsPath path) {
    JsonNode value = path.in(defaults);
    if (value == null || value.asText().isEmpty()) {
      return "`server --reference` shows an example";
    }
    return "the default is " + value.asText().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what to write instead of an unknown key: a similar key, or the same one elsewhere. */
  String key(SettingsPath path, UnrecognizedPropertyException unknown) {
    List<String> names = knownKeys(unknown);
    return Wording.closest(path.last(), names)
        .map(Suggestions::didYouMean)
        .orElseGet(() -> elsewhere(path.last(), names));
  }

  /** Returns the keys of the section that has the unknown key. */
  static List<String> knownKeys(UnrecognizedPropertyException unknown) {
    Collection<Object> ids =
        Objects.requireNonNullElse(unknown.getKnownPropertyIds(), List.<Object>of());
    return ids.stream().map(String::valueOf).sorted().toList();
  }

  /** Returns a suggestion for a known key in the wrong section. */
  private String elsewhere(String name, List<String> names) {
    return sectionsWith(defaults, new SettingsPath(List.of()), name).stream()
        .findFirst()
        .map(Suggestions::didYouMean)
        .orElse("known here: " + String.join(", ", names));
  }

  private static List<String> sectionsWith(JsonNode section, SettingsPath path, String key) {
    List<String> found = new ArrayList<>();
    section
        .properties()
        .forEach(
            entry -> {
              SettingsPath inner = path.child(entry.getKey());
              if (entry.getKey().equals(key)) {
                found.add(inner.toString());
              }
              found.addAll(sectionsWith(entry.getValue(), inner, key));
            });
    return found;
  }

  static String didYouMean(String name) {
    return "did you mean " + name + "?";
  }
}
