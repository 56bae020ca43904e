package io.sluice.server.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.setting.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the faults of one file and words their messages. Not safe for several threads. */
final class FaultList {
  /** Keys of earlier versions, each with the reason for its removal. */
  private static final Map<String, String> REMOVED =
      Map.of(
          "split.readAhead",
          "was removed, because a page that is read before the client requests it can lack"
              + " acknowledged"
              + " writes");

  private final List<Fault> faults = new ArrayList<>();
  private final List<SettingsPath> places = new ArrayList<>();
  private final JsonNode defaults;
  private final Suggestions suggestions;

  /** Places whose values come from files of secrets. */
  private Set<SettingsPath> hidden = Set.of();

  FaultList(JsonNode defaults) {
    this.defaults = defaults;
    this.suggestions = new Suggestions(defaults);
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  InvalidSettings toException() {
    return new InvalidSettings(faults);
  }

  /** Notes that the top level of the file is a list or a single value. */
  void notSections() {
    faults.add(
        new Fault(
            "(file)", "no keys", "must consist of sections", "`server --reference` shows them"));
  }

  void notYaml(JsonProcessingException fault) {
    JsonLocation location = fault.getLocation();
    String line = location == null ? "(file)" : "line " + location.getLineNr();
    String message = UnsetVariables.unmark(firstLine(fault.getOriginalMessage()));
    faults.add(
        new Fault(line, "not YAML", message, "check indentation, quotes and duplicate keys"));
  }

  /** Hides the values at these places. */
  void hide(Set<SettingsPath> secrets) {
    hidden = secrets;
  }

  /** Notes variables without a value and without a default, and removes their keys. */
  void unsetVariables(ObjectNode given) {
    UnsetVariables.in(given)
        .forEach(
            (path, name) -> {
              boolean file = FileSecrets.isFile(name);
              note(
                  path,
                  quoted("${" + name + "}"),
                  file
                      ? "must be a readable file of at most 64 KiB in UTF-8"
                      : "environment variable " + name + " is not set",
                  (file ? "check the path and its permissions" : "set it")
                      + ", or write ${"
                      + name
                      + ":-default}");
              path.removeFrom(given);
            });
  }

  /** Notes levels that the logging library would take for DEBUG. */
  void unknownLevels(ObjectNode given) {
    LogLevels.unknown(given)
        .forEach(
            (path, level) -> {
              String suggestion =
                  Wording.closest(level, LogLevels.KNOWN)
                      .map(Suggestions::didYouMean)
                      .orElse("the usual one is INFO");
              String problem = "must be one of " + String.join(", ", LogLevels.KNOWN);
              note(path, shown(path, given), problem, suggestion);
              path.removeFrom(given);
            });
  }

  /** Notes a fault that was found on this machine. */
  void add(Fault found) {
    note(SettingsPath.of(found.key()), found);
  }

  /** Notes where and why binding stopped. Returns that place. */
  List<SettingsPath> add(JsonMappingException stop, JsonNode given) {
    if (stop.getCause() instanceof RefusedSettings refused) {
      return add(refused, given);
    }
    SettingsPath path = SettingsPath.of(stop.getPath(), given);
    String removed = REMOVED.get(path.toString());
    if (removed != null) {
      note(path, shown(path, given), removed, "delete the line");
    } else if (stop instanceof UnrecognizedPropertyException unknown) {
      String value = hasSecrets(unknown) ? Secret.HIDDEN : shown(path, given);
      note(path, value, "no such key", suggestions.key(path, unknown));
    } else {
      Class<?> type = wantedType(stop);
      String problem = Wording.expected(type).orElseGet(() -> firstLine(stop.getOriginalMessage()));
      note(path, shown(path, given), problem, suggestions.value(path, type, path.in(given)));
    }
    return List.of(path);
  }

  private static @Nullable Class<?> wantedType(JsonMappingException stop) {
    if (stop.getCause() instanceof InputCoercionException number) {
      return number.getTargetType();
    }
    return stop instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
  }

  /** Notes the values that a record of settings refused. Returns their places. */
  List<SettingsPath> add(RefusedSettings refused, JsonNode given) {
    return refused.all().stream()
        .map(
            each -> {
              SettingsPath path = SettingsPath.of(each.key());
              String advice =
                  each.advice().isEmpty() ? suggestions.value(path, null, null) : each.advice();
              note(path, shown(path, given, each.value()), each.requirement(), advice);
              return path;
            })
        .toList();
  }

  private void note(SettingsPath path, String value, String problem, String suggestion) {
    note(path, new Fault(path.toString(), value, problem, suggestion));
  }

  private void note(SettingsPath path, Fault fault) {
    if (places.stream().noneMatch(place -> place.startsWith(path))) {
      places.add(path);
      faults.add(fault);
    }
  }

  /** Whether the unknown key may be a misspelt name of a secret. */
  private static boolean hasSecrets(UnrecognizedPropertyException unknown) {
    return Suggestions.knownKeys(unknown).stream().anyMatch(SecretKeys::contains);
  }

  /** Returns the value in the file, or the default that was refused together with other values. */
  private String shown(SettingsPath path, JsonNode given, Object refused) {
    JsonNode byDefault = path.in(defaults);
    boolean hasDefault =
        byDefault != null && byDefault.isValueNode() && !byDefault.asText().isEmpty();
    return path.in(given) == null && hasDefault
        ? InvalidSetting.written(refused) + " (the default)"
        : shown(path, given);
  }

  /** Returns the value in the file; secrets are hidden. */
  private String shown(SettingsPath path, JsonNode given) {
    JsonNode value = path.in(given);
    if (value == null) {
      return "(not set)";
    }
    if (isSecret(path)) {
      return Secret.HIDDEN;
    }
    if (value.isObject()) {
      return "a section";
    }
    return value.isTextual() ? quoted(value.textValue()) : SecretKeys.text(value);
  }

  private boolean isSecret(SettingsPath path) {
    return SecretKeys.contains(path.toString())
        || hidden.stream().anyMatch(secret -> secret.startsWith(path));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "cannot be read" : message.lines().findFirst().orElse("");
  }
}
