package io.sluice.server;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects the faults of one file and finds words for them. */
final class FaultList {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}:]+)}");

  /** The core's messages: the key, perhaps the value, what it must be, perhaps the value. */
  private static final Pattern OUT_OF_RANGE =
      Pattern.compile("(\\S+) (?:is \\S+ )?(must .*?)(?:, not \\S+)?");

  private static final Map<String, String> EXAMPLES =
      Map.of(
          "cluster.contactPoints", "write contactPoints: [\"10.0.0.1:9042\"]",
          "cluster.localDatacenter",
              "write localDatacenter: datacenter1, as `nodetool status` names it");

  private final List<Fault> faults = new ArrayList<>();
  private final List<SettingsPath> places = new ArrayList<>();
  private final JsonNode defaults;

  FaultList(JsonNode defaults) {
    this.defaults = defaults;
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  InvalidSettings toException() {
    return new InvalidSettings(faults);
  }

  /** The file's top is a list or a single value. */
  void notSections() {
    faults.add(
        new Fault(
            "(file)", "no keys", "must consist of sections", "`server --reference` shows them"));
  }

  void notYaml(JsonProcessingException fault) {
    JsonLocation location = fault.getLocation();
    String line = location == null ? "(file)" : "line " + location.getLineNr();
    String message = firstLine(fault.getOriginalMessage());
    faults.add(new Fault(line, "not YAML", message, "mind indents, quotes and duplicate keys"));
  }

  /** Variables without a value and without a default are still in the text. */
  void unsetVariables(ObjectNode given) {
    unsetVariables(given, new SettingsPath(List.of()), given);
  }

  private void unsetVariables(JsonNode node, SettingsPath path, JsonNode root) {
    if (node.isTextual()) {
      unsetVariable(node.textValue(), path, root);
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        unsetVariables(node.get(i), path.child("[" + i + "]"), root);
      }
    } else {
      List.copyOf(node.properties())
          .forEach(entry -> unsetVariables(entry.getValue(), path.child(entry.getKey()), root));
    }
  }

  private void unsetVariable(String text, SettingsPath path, JsonNode root) {
    Matcher variable = VARIABLE.matcher(text);
    if (variable.find()) {
      String name = variable.group(1);
      String suggestion = "set it, or write ${" + name + ":-default}";
      note(path, quoted(text), "environment variable " + name + " is not set", suggestion);
      path.removeFrom(root);
    }
  }

  /** Notes where and why binding stopped; returns where. */
  SettingsPath add(JsonMappingException stop, JsonNode given) {
    if (stop.getCause() instanceof IllegalArgumentException range
        && OUT_OF_RANGE.matcher(message(range)).matches()) {
      return add(range, given);
    }
    SettingsPath path = SettingsPath.of(stop.getPath(), given);
    if (stop instanceof UnrecognizedPropertyException unknown) {
      note(path, shown(path, given), "no such key", known(path, unknown));
    } else {
      Class<?> type = wantedType(stop);
      String problem = Wording.expected(type).orElseGet(() -> firstLine(stop.getOriginalMessage()));
      note(path, shown(path, given), problem, suggestion(path, type, given));
    }
    return path;
  }

  private static @Nullable Class<?> wantedType(JsonMappingException stop) {
    if (stop.getCause() instanceof InputCoercionException number) {
      return number.getTargetType();
    }
    return stop instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
  }

  /** Notes a value that one of the core's records refused; returns its place. */
  SettingsPath add(IllegalArgumentException refused, JsonNode given) {
    Matcher words = OUT_OF_RANGE.matcher(message(refused).replace(", must", " must"));
    if (!words.matches()) {
      throw refused;
    }
    SettingsPath path = SettingsPath.of(words.group(1));
    note(path, shown(path, given), words.group(2), suggestion(path, null, given));
    return path;
  }

  private void note(SettingsPath path, String value, String problem, String suggestion) {
    if (places.stream().noneMatch(place -> place.startsWith(path))) {
      places.add(path);
      faults.add(new Fault(path.toString(), value, problem, suggestion));
    }
  }

  private String suggestion(SettingsPath path, @Nullable Class<?> type, JsonNode given) {
    JsonNode value = path.in(given);
    if (type != null && type.isEnum() && value != null) {
      return Wording.closest(value.asText(), Wording.constants(type))
          .map(FaultList::didYouMean)
          .orElseGet(() -> theDefault(path));
    }
    return EXAMPLES.getOrDefault(path.toString(), theDefault(path));
  }

  private String theDefault(SettingsPath path) {
    JsonNode value = path.in(defaults);
    if (value == null || !value.isValueNode() || value.asText().isEmpty()) {
      return "`server --reference` shows an example";
    }
    return "the default is " + value.asText().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private String known(SettingsPath path, UnrecognizedPropertyException unknown) {
    Collection<Object> ids =
        Objects.requireNonNullElse(unknown.getKnownPropertyIds(), List.<Object>of());
    List<String> names = ids.stream().map(String::valueOf).sorted().toList();
    return Wording.closest(path.last(), names)
        .map(FaultList::didYouMean)
        .orElseGet(() -> elsewhere(path.last(), names));
  }

  /** Right key, wrong section. */
  private String elsewhere(String name, List<String> names) {
    return sectionsWith(defaults, new SettingsPath(List.of()), name).stream()
        .findFirst()
        .map(FaultList::didYouMean)
        .orElse("known here: " + String.join(", ", names));
  }

  private static List<String> sectionsWith(JsonNode section, SettingsPath path, String key) {
    List<String> found = new ArrayList<>();
    section
        .properties()
        .forEach(
            entry -> {
              SettingsPath here = path.child(entry.getKey());
              if (entry.getKey().equals(key)) {
                found.add(here.toString());
              }
              found.addAll(sectionsWith(entry.getValue(), here, key));
            });
    return found;
  }

  private static String didYouMean(String name) {
    return "did you mean " + name + "?";
  }

  /** What the file says there; secrets are not repeated. */
  private static String shown(SettingsPath path, JsonNode given) {
    JsonNode value = path.in(given);
    if (value == null) {
      return "(not set)";
    }
    if (path.toString().startsWith("cluster.credentials")) {
      return "****";
    }
    if (value.isObject()) {
      return "a section";
    }
    return value.isTextual() ? quoted(value.textValue()) : value.toString();
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static String message(IllegalArgumentException refused) {
    return String.valueOf(refused.getMessage());
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "cannot be read" : message.lines().findFirst().orElse("");
  }
}
