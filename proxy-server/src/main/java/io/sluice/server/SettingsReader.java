package io.sluice.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.sluice.setting.RefusedSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.commons.text.StringSubstitutor;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration file: variables and files of secrets replaced, laid over the defaults,
 * bound to {@link Settings}.
 *
 * <p>Binding stops at the first fault. So that all are found, each is noted, its key is taken out
 * of the file's tree as if it had not been written, and binding starts over.
 */
final class SettingsReader {

  /** Lines for a terminal; the driver repeats each lost connection on its own. */
  private static final String DEFAULT_LOGGING =
      """
      level: INFO
      format: text
      loggers:
        com.datastax.oss.driver: ERROR
        io.netty: WARN
        org.eclipse.jetty: WARN
      appenders:
        - type: console
          logFormat: "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%rEx"
          timeZone: system
      """;

  /** What stands in for keys without a default, so that binding can go on without them. */
  private static final String PLACEHOLDERS =
      """
      cluster:
        contactPoints: [127.0.0.1]
        localDatacenter: any
        credentials: {username: any, password: any}
      """;

  private final ObjectMapper mapper = SettingsFormat.mapper();
  private final YAMLMapper yaml = new YAMLMapper();
  private final Map<String, String> environment;
  private final JsonNode defaults;
  private final JsonNode placeholders;

  /**
   * A reader of any number of files.
   *
   * @param environment what {@code ${NAME}} stands for; {@code ${file:/path}} is read
   */
  SettingsReader(Map<String, String> environment) {
    this.environment = environment;
    yaml.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    // "off" is a word of ours.
    yaml.enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS);
    ObjectNode tree = mapper.valueToTree(Settings.defaults());
    tree.set("logging", builtIn(DEFAULT_LOGGING));
    defaults = tree;
    placeholders = builtIn(PLACEHOLDERS);
  }

  private JsonNode builtIn(String text) {
    try {
      return yaml.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every key with its default, as the file would have it. */
  JsonNode defaults() {
    return defaults.deepCopy();
  }

  /**
   * The settings of one file.
   *
   * @param files where {@code path} is looked up
   * @throws InvalidSettings with everything that is wrong
   * @throws IOException when the file cannot be read
   */
  Settings read(ConfigurationSourceProvider files, String path)
      throws IOException, InvalidSettings {
    return file(files, path, CertificateFiles::faults).settings();
  }

  /** The same; what {@link Surroundings} finds on this machine is a fault too. */
  Settings check(ConfigurationSourceProvider files, String path)
      throws IOException, InvalidSettings {
    return file(files, path, Surroundings::faults).settings();
  }

  /** The same as {@link #read}, with the trees that it was bound from. */
  ReadFile file(ConfigurationSourceProvider files, String path)
      throws IOException, InvalidSettings {
    return file(files, path, CertificateFiles::faults);
  }

  private ReadFile file(
      ConfigurationSourceProvider files, String path, Function<Settings, List<Fault>> surroundings)
      throws IOException, InvalidSettings {
    String text = text(files, path);
    ObjectNode written = parse(text);
    ObjectNode given = written.deepCopy();
    try {
      return new ReadFile(written, given, bind(given, surroundings));
    } catch (InvalidSettings e) {
      throw e.in(LineNumbers.of(text));
    }
  }

  /** Settings as their file would have them, in one notation for each value, without the log's. */
  JsonNode written(Settings settings) {
    return mapper.valueToTree(settings);
  }

  /**
   * The settings in a tree that was read, with other values.
   *
   * @throws InvalidSettings with everything that is wrong
   */
  Settings bind(ObjectNode given) throws InvalidSettings {
    return bind(given, settings -> List.of());
  }

  /**
   * A single value, as the file would have it behind its key.
   *
   * @throws InvalidSettings when it cannot be read
   */
  JsonNode value(String text) throws InvalidSettings {
    try {
      JsonNode value = yaml.readTree(text);
      return value.isMissingNode() || value.isNull()
          ? mapper.getNodeFactory().textNode(text)
          : value;
    } catch (JsonProcessingException e) {
      FaultList faults = new FaultList(defaults);
      faults.notYaml(e);
      throw faults.toException();
    }
  }

  private String text(ConfigurationSourceProvider files, String path) throws IOException {
    StringSubstitutor variables = new StringSubstitutor(this::variable);
    try (InputStream in = new SubstitutingSourceProvider(files, variables).open(path)) {
      return UnsetVariables.mark(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** The value of a variable; the content of a file comes later. */
  private @Nullable String variable(String name) {
    if (!FileSecrets.isFile(name)) {
      return environment.get(name);
    }
    return FileSecrets.exists(name) ? UnsetVariables.marked(name) : null;
  }

  private ObjectNode parse(String text) throws InvalidSettings {
    FaultList faults = new FaultList(defaults);
    try {
      JsonNode tree = yaml.readTree(text);
      if (tree instanceof ObjectNode sections) {
        return sections;
      }
      if (tree.isMissingNode() || tree.isNull()) {
        return mapper.createObjectNode();
      }
      faults.notSections();
    } catch (JsonProcessingException e) {
      faults.notYaml(e);
    }
    throw faults.toException();
  }

  private Settings bind(ObjectNode given, Function<Settings, List<Fault>> surroundings)
      throws InvalidSettings {
    FaultList faults = new FaultList(defaults);
    faults.hide(FileSecrets.putInto(given));
    faults.unsetVariables(given);
    faults.unknownLevels(given);
    while (true) {
      List<SettingsPath> faulty;
      try {
        Settings settings = mapper.treeToValue(Merged.over(defaults, given), Settings.class);
        settings.proxyConfig();
        surroundings.apply(settings).forEach(faults::add);
        if (faults.isEmpty()) {
          return settings;
        }
        throw faults.toException();
      } catch (JsonMappingException e) {
        faulty = faults.add(e, given);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      } catch (RefusedSettings e) {
        faulty = faults.add(e, given);
      }
      boolean further = false;
      for (SettingsPath path : faulty) {
        further |= withoutFault(given, path);
      }
      if (!further) {
        throw faults.toException();
      }
    }
  }

  /** Makes binding get past {@code faulty}; false when that is not possible. */
  private boolean withoutFault(ObjectNode given, SettingsPath faulty) {
    boolean removed = faulty.removeFrom(given);
    JsonNode placeholder = placeholders.at("/" + String.join("/", faulty.steps()));
    if (placeholder.isValueNode() || placeholder.isArray()) {
      faulty.putInto(given, placeholder);
      return true;
    }
    return removed || (!faulty.steps().isEmpty() && withoutFault(given, faulty.parent()));
  }
}
