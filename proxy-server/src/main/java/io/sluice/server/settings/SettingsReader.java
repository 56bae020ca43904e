package io.sluice.server.settings;

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
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.commons.text.StringSubstitutor;
import org.jspecify.annotations.Nullable;

/**
 * Reads configuration files: replaces variables and files of secrets, adds the defaults, and binds
 * the tree to {@link Settings}.
 *
 * <p>Binding stops at the first fault. To find all faults, the reader notes the fault, removes its
 * key from the file's tree, and binds again.
 */
final class SettingsReader {

  /** A format for terminals. The driver's level hides its own report of each lost connection. */
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

  /** Placeholders for keys without a default, so that binding can continue. */
  private static final String PLACEHOLDERS =
      """
      cluster:
        contactPoints: [127.0.0.1]
        localDatacenter: any
        credentials: {username: any, password: any}
      """;

  private final ObjectMapper mapper;
  private final YAMLMapper yaml = new YAMLMapper();
  private final Map<String, String> environment;
  private final UnaryOperator<InetSocketAddress> lookup;
  private final JsonNode defaults;
  private final JsonNode placeholders;

  /**
   * Creates a reader of any number of files.
   *
   * @param environment the values of {@code ${NAME}}; {@code ${file:/path}} is read from the file
   */
  SettingsReader(Map<String, String> environment) {
    this(environment, SettingsFormat::resolved);
  }

  /** Creates a reader that finds the addresses of names by {@code lookup}. */
  SettingsReader(Map<String, String> environment, UnaryOperator<InetSocketAddress> lookup) {
    this.environment = environment;
    this.lookup = lookup;
    this.mapper = SettingsFormat.mapper(lookup);
    yaml.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    // "off" is a value of some keys.
    yaml.enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS);
    ObjectNode tree = mapper.valueToTree(Settings.defaults());
    tree.set("logging", builtIn(DEFAULT_LOGGING));
    defaults = tree;
    placeholders = builtIn(PLACEHOLDERS);
  }

  /** Returns a reader that does not look up the names that {@code settings} has addresses for. */
  SettingsReader knowing(Settings settings) {
    Map<InetSocketAddress, InetSocketAddress> known = new HashMap<>();
    settings
        .addresses()
        .forEach(
            each ->
                known.put(
                    InetSocketAddress.createUnresolved(each.getHostString(), each.getPort()),
                    each));
    return new SettingsReader(
        environment,
        name -> {
          InetSocketAddress address = known.get(name);
          return address == null ? lookup.apply(name) : address;
        });
  }

  private JsonNode builtIn(String text) {
    try {
      return yaml.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns every key with its default, as in a file. */
  JsonNode defaults() {
    return defaults.deepCopy();
  }

  /**
   * Reads the settings of one file.
   *
   * @param files resolves {@code path}
   * @throws InvalidSettings with all faults
   * @throws IOException when the file cannot be read
   */
  Settings read(ConfigurationSourceProvider files, String path)
      throws IOException, InvalidSettings {
    return file(files, path, CertificateFiles::faults).settings();
  }

  /** Reads a file; what {@link Surroundings} finds on this machine counts as a fault too. */
  Settings check(ConfigurationSourceProvider files, String path)
      throws IOException, InvalidSettings {
    return file(files, path, Surroundings::faults).settings();
  }

  /** Reads a file like {@link #read}, and returns its trees too. */
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

  /**
   * Returns settings as a tree, with one notation for each value, without the section of logging.
   */
  JsonNode written(Settings settings) {
    return mapper.valueToTree(settings);
  }

  /**
   * Binds a tree that was read and changed.
   *
   * @throws InvalidSettings with all faults
   */
  Settings bind(ObjectNode given) throws InvalidSettings {
    return bind(given, settings -> List.of());
  }

  /**
   * Parses a single value, as written after its key.
   *
   * @throws InvalidSettings when it cannot be parsed
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
    // Java's own stream of a file would seek, which a pipe cannot.
    ConfigurationSourceProvider buffered = name -> new BufferedInputStream(files.open(name));
    try (InputStream in = new SubstitutingSourceProvider(buffered, variables).open(path)) {
      return UnsetVariables.mark(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Returns the value of a variable, or a mark for a file, whose content is inserted later. */
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
    LogLevels.putOffForFalse(given);
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
      boolean progress = false;
      for (SettingsPath path : faulty) {
        progress |= withoutFault(given, path);
      }
      if (!progress) {
        throw faults.toException();
      }
    }
  }

  /**
   * Removes {@code faulty}, so that binding can continue. Returns false when that is not possible.
   */
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
