package io.sluice.server.settings;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.console.LiveConfig;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a running process: those of its file at the start or at the last reload,
 * overridden by those that operators have changed since the start. Safe for any thread.
 */
public final class LiveSettings {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private final SettingsReader reader;
  private final ReadFile started;

  /** The file of the last reload. */
  @GuardedBy("this")
  private ReadFile latest;

  @GuardedBy("this")
  private final Map<String, OperatorChange> changes = new HashMap<>();

  @GuardedBy("this")
  private Settings now;

  /** The settings for display. Readable without the lock, which a change holds for long. */
  private volatile List<Setting> shown;

  /** Whether the proxy may have applied only a part of the settings, because that has thrown. */
  @GuardedBy("this")
  private boolean incomplete;

  /**
   * Creates the settings of a process. Names of hosts are needed only at its start, so later
   * readings keep their addresses: a change is not refused, and does not wait, when they cannot be
   * looked up.
   */
  LiveSettings(SettingsReader reader, ReadFile started) {
    this.reader = reader.knowing(started.settings());
    this.started = started;
    this.latest = started;
    this.now = started.settings();
    this.shown = forDisplay();
  }

  /** Returns the settings in effect. */
  public synchronized Settings now() {
    return now;
  }

  /** Returns the settings for display: every key with its value and its default, secrets hidden. */
  public List<Setting> shown() {
    return shown;
  }

  /** Whether a key can be set although no row shows it: it is the level of a logger. */
  public boolean isLevel(String key) {
    return LiveKeys.isLevel(key, started.given());
  }

  @GuardedBy("this")
  private List<Setting> forDisplay() {
    return shown(
        latest, differing(effective(latest, changes), now, latest.given(), latest.settings()));
  }

  @GuardedBy("this")
  private List<Setting> shown(ReadFile file, Set<String> otherwise) {
    ObjectNode written = LiveKeys.over(started.written(), file.written());
    List<Setting> all = new ArrayList<>();
    Map<String, Setting> later = new HashMap<>();
    if (!otherwise.isEmpty()) {
      ShownSettings.of(reader.defaults(), file.written(), Map.of())
          .forEach(setting -> later.put(setting.key(), setting));
    }
    Set<String> missing = new TreeSet<>(otherwise);
    for (Setting each : ShownSettings.of(reader.defaults(), written, changes)) {
      missing.remove(each.key());
      Setting then = later.get(each.key());
      all.add(
          otherwise.contains(each.key())
              ? each.withAfterRestart(then == null ? "" : then.value())
              : each);
    }
    for (String key : missing) {
      String then = Objects.requireNonNull(later.get(key), key).value();
      all.add(new Setting(key, "", "", Source.DEFAULT, Changes.RESTART, null, then));
    }
    return List.copyOf(all);
  }

  /** Returns the keys whose values in the file take effect only after a restart. */
  synchronized Set<String> pending() {
    return differing(
        effective(latest, Map.of()), started.settings(), latest.given(), latest.settings());
  }

  @GuardedBy("this")
  private ObjectNode effective(ReadFile file, Map<String, OperatorChange> changed) {
    ObjectNode tree = LiveKeys.over(started.given(), file.given());
    changed.forEach((key, to) -> LiveKeys.path(key).putInto(tree, to.value().deepCopy()));
    return tree;
  }

  private Set<String> differing(ObjectNode tree, Settings bound, ObjectNode other, Settings then) {
    Map<String, JsonNode> before = ShownSettings.values(reader.defaults(), tree);
    Map<String, JsonNode> after = ShownSettings.values(reader.defaults(), other);
    Set<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
    if (!keys.isEmpty()) {
      JsonNode one = reader.written(bound);
      JsonNode two = reader.written(then);
      keys.removeIf(
          key ->
              !SecretKeys.isIn(key, before.get(key))
                  && !SecretKeys.isIn(key, after.get(key))
                  && isSame(LiveKeys.path(key), one, two));
    }
    return keys;
  }

  /** Whether two notations have the same value. */
  private static boolean isSame(SettingsPath path, JsonNode one, JsonNode other) {
    JsonNode value = path.in(one);
    return value != null && value.equals(path.in(other));
  }

  /**
   * Changes a setting. Waits for other changes and reloads.
   *
   * @param value the value as in the file, without variables: an operator of the proxy may not read
   *     the files of its host; null restores the file's value
   * @param operator the operator, for the log
   * @param proxy receives the new settings of the proxy; not called when the change is refused
   * @return the reason why the change is refused; null on success
   */
  public synchronized @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    if (!LiveKeys.contains(key, started.given())) {
      return key + " is read only at the start: change it in the file, and restart";
    }
    Map<String, OperatorChange> next = new HashMap<>(changes);
    Settings then;
    try {
      JsonNode node = null;
      if (value == null) {
        next.remove(key);
      } else {
        node = reader.value(value);
        next.put(key, new OperatorChange(node, operator));
      }
      if (node != null && !UnsetVariables.in(node).isEmpty()) {
        return key + " accepts no variable: write the value itself";
      }
      boolean level = LiveKeys.isLevel(key, started.given());
      if (level && node != null && !node.isTextual()) {
        return key + " accepts only a level: " + String.join(", ", LogLevels.KNOWN);
      }
      then = reader.bind(effective(latest, next));
    } catch (InvalidSettings e) {
      return String.join(". ", e.messages());
    }
    try {
      apply(then, proxy);
    } catch (RefusedSettings e) {
      return String.join(". ", refused(e).messages());
    }
    String before = text(key);
    changes.clear();
    changes.putAll(next);
    Settings old = now;
    now = then;
    shown = forDisplay();
    LOG.warn("{} has set {} to {}, it was {}", operator, key, text(key), before);
    applyLevels(old);
    return null;
  }

  /**
   * Applies a new content of the file: all live keys that no operator has changed, at once.
   *
   * @param file the new content
   * @param proxy receives the new settings of the proxy; not called when nothing has changed
   * @throws IOException when the file cannot be read
   * @throws InvalidSettings with all faults; no setting has changed then
   */
  Reloaded reload(ConfigurationText file, Consumer<LiveConfig> proxy)
      throws IOException, InvalidSettings {
    return reload(reader.file(path -> file.open(), ""), proxy);
  }

  private synchronized Reloaded reload(ReadFile file, Consumer<LiveConfig> proxy)
      throws InvalidSettings {
    Set<String> updated = Set.copyOf(changes.keySet());
    ObjectNode next = effective(file, changes);
    Settings then;
    try {
      then = reader.bind(next.deepCopy());
    } catch (InvalidSettings e) {
      // The file alone is valid.
      String others =
          updated.isEmpty()
              ? "it conflicts with keys that need a restart"
              : "it conflicts with keys that were set by UPDATE ("
                  + updated.stream().sorted().collect(Collectors.joining(", "))
                  + ") or need a restart";
      throw new InvalidSettings(
          e.faults().stream()
              .map(each -> new Fault(each.key(), each.value(), each.problem(), others))
              .toList());
    }
    Set<String> keys = differing(effective(latest, changes), now, next, then);
    Set<String> fileKeys =
        differing(latest.given(), latest.settings(), file.given(), file.settings());
    Map<String, String> before = texts(shown(latest, Set.of()));
    Map<String, String> after = texts(shown(file, Set.of()));
    List<String> changed =
        keys.stream()
            .map(
                key ->
                    key
                        + ": "
                        + before.getOrDefault(key, "nothing")
                        + " -> "
                        + after.getOrDefault(key, "nothing"))
            .toList();
    Settings old = now;
    ReadFile oldFile = latest;
    latest = file;
    now = then;
    if (!keys.isEmpty() || incomplete) {
      boolean applied = false;
      try {
        apply(then, proxy);
        applied = true;
      } catch (RefusedSettings e) {
        throw refused(e);
      } finally {
        if (!applied) {
          latest = oldFile;
          now = old;
        }
      }
      applyLevels(old);
    }
    shown = forDisplay();
    List<String> hidden = fileKeys.stream().filter(updated::contains).toList();
    return new Reloaded(changed, hidden, List.copyOf(pending()), !fileKeys.isEmpty());
  }

  @GuardedBy("this")
  private void apply(Settings then, Consumer<LiveConfig> proxy) {
    boolean before = incomplete;
    incomplete = true;
    try {
      proxy.accept(then.proxyConfig().live());
      incomplete = false;
    } catch (RefusedSettings e) {
      incomplete = before;
      throw e;
    }
  }

  /** Returns settings that do not fit the cluster as faults of the file. */
  private static InvalidSettings refused(RefusedSettings settings) {
    return new InvalidSettings(
        settings.all().stream()
            .map(
                each ->
                    new Fault(
                        each.key(),
                        InvalidSetting.written(each.value()),
                        each.requirement(),
                        each.advice()))
            .toList());
  }

  /**
   * The result of a reload.
   *
   * @param changed the keys with new values, each with the old and the new value
   * @param hidden the keys that the file has changed but an operator's UPDATE overrides
   * @param pending the keys that will have other values after a restart
   * @param differs whether any value in the file has changed
   */
  record Reloaded(
      List<String> changed, List<String> hidden, List<String> pending, boolean differs) {}

  private static Map<String, String> texts(List<Setting> settings) {
    Map<String, String> texts = new LinkedHashMap<>();
    settings.forEach(
        each -> texts.put(each.key(), each.value().isEmpty() ? "nothing" : each.value()));
    return texts;
  }

  private String text(String key) {
    return texts(shown).getOrDefault(key, "nothing");
  }

  @GuardedBy("this")
  private void applyLevels(Settings before) {
    Map<String, String> old = levels(before);
    Map<String, String> next = levels(now);
    old.keySet().stream()
        .filter(name -> !next.containsKey(name))
        .forEach(name -> logger(name).setLevel(null));
    next.forEach(
        (name, level) -> {
          if (!level.equals(old.get(name))) {
            logger(name).setLevel(Level.toLevel(level));
          }
        });
    keepChangesLogged();
  }

  /** Returns the levels of all loggers that have no appenders of their own, by name. */
  private static Map<String, String> levels(Settings settings) {
    Map<String, String> levels = new HashMap<>();
    levels.put(Logger.ROOT_LOGGER_NAME, settings.logging().getLevel());
    settings
        .logging()
        .getLoggers()
        .forEach(
            (name, level) -> {
              if (level.isTextual()) {
                levels.put(name, level.textValue());
              }
            });
    return levels;
  }

  /** Makes the log report changes at any level. Called when logging is configured. */
  public static void keepChangesLogged() {
    logger(LiveSettings.class.getName()).setLevel(Level.INFO);
    logger(Reloads.class.getName()).setLevel(Level.INFO);
  }

  private static ch.qos.logback.classic.Logger logger(String name) {
    return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name);
  }
}
