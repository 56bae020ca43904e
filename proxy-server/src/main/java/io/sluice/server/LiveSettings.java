package io.sluice.server;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.sluice.console.LiveConfig;
import io.sluice.console.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a running process: those of its file, and those that operators have changed since
 * the start. Safe for any thread.
 */
final class LiveSettings {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private static final String LEVEL = "logging.level";
  private static final String SCHEDULING = "scheduling.";
  private static final Set<String> OTHERS =
      Set.of("requestTimeout", "nodeAgent.hints", "console.roles", "rules", "drainTimeout", LEVEL);

  private final SettingsReader reader;
  private final ObjectNode written;
  private final ObjectNode file;

  @GuardedBy("this")
  private final Map<String, JsonNode> changes = new HashMap<>();

  @GuardedBy("this")
  private Settings now;

  /**
   * The settings of a file.
   *
   * @param written the file as people see it
   * @param file the same with the content of files in its place
   * @param now what follows from it
   */
  LiveSettings(SettingsReader reader, ObjectNode written, ObjectNode file, Settings now) {
    this.reader = reader;
    this.written = written;
    this.file = file;
    this.now = now;
  }

  /** Whether a key may be changed while the process runs. */
  static boolean isLive(String key) {
    return key.startsWith(SCHEDULING) || OTHERS.contains(key);
  }

  /** The settings that hold now. */
  synchronized Settings now() {
    return now;
  }

  /** The same as lines, for people: every key with its value and its default, secrets hidden. */
  synchronized List<Setting> shown() {
    return ShownSettings.of(reader.defaults(), written, changes);
  }

  /**
   * Changes one of them.
   *
   * @param value what the file would have there; null for what the file does have
   * @param operator the operator, for the log
   * @param proxy takes the settings of the proxy over; not called when the change is refused
   * @return the reason why it is refused; null when it is made
   */
  synchronized @Nullable String change(
      String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
    if (!isLive(key)) {
      return key + " is read at a start only: change it in the file, and restart";
    }
    Map<String, JsonNode> next = new HashMap<>(changes);
    try {
      if (value == null) {
        next.remove(key);
      } else {
        next.put(key, reader.value(value));
      }
      ObjectNode given = file.deepCopy();
      next.forEach((changed, node) -> SettingsPath.of(changed).putInto(given, node.deepCopy()));
      now = reader.bind(given);
    } catch (InvalidSettings e) {
      return e.faults().stream().map(Fault::line).collect(Collectors.joining(". "));
    }
    String before = text(key);
    changes.clear();
    changes.putAll(next);
    LOG.warn("{} has set {} to {}, it was {}", operator, key, text(key), before);
    if (key.equals(LEVEL)) {
      applyLevel();
    }
    proxy.accept(now.proxyConfig().live());
    return null;
  }

  @GuardedBy("this")
  private String text(String key) {
    return shown().stream()
        .filter(setting -> setting.key().equals(key))
        .map(setting -> setting.value().isEmpty() ? "nothing" : setting.value())
        .findFirst()
        .orElse("nothing");
  }

  @GuardedBy("this")
  private void applyLevel() {
    if (now.logging() instanceof DefaultLoggingFactory logging) {
      logger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(logging.getLevel()));
    }
  }

  /** Makes the log tell of changes whatever its level; called when logging is configured. */
  static void alwaysLogs() {
    logger(LiveSettings.class.getName()).setLevel(Level.WARN);
  }

  private static ch.qos.logback.classic.Logger logger(String name) {
    return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name);
  }
}
