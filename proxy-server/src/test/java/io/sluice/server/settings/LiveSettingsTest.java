package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.console.LiveConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Settings that operators change while the process runs. */
class LiveSettingsTest {

  /** A file whose names are known at the start only. */
  private static final String NAMES =
      """
      cql:
        advertise: proxy.invalid
        peers: ["other.invalid:9043", "dns:all.invalid"]
      cluster: {contactPoints: [node.invalid, 10.0.0.1], localDatacenter: dc1}
      """;

  private final List<LiveConfig> applied = new ArrayList<>();
  private final List<String> lookedUp = new ArrayList<>();

  private static LiveSettings file(String line) throws IOException, InvalidSettings {
    SettingsReader reader = new SettingsReader(Map.of());
    return new LiveSettings(reader, read(reader, withCluster(line)));
  }

  private static ReadFile read(SettingsReader reader, String text)
      throws IOException, InvalidSettings {
    return reader.file(
        path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "config.yml");
  }

  private @Nullable String change(LiveSettings settings, String key, @Nullable String value) {
    return settings.change(key, value, "role ops from 10.0.0.1:5", applied::add);
  }

  private static Setting shown(LiveSettings settings, String key) {
    return settings.shown().stream()
        .filter(setting -> setting.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_change_holds_is_shown_and_goes_to_the_proxy() throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");

    assertThat(change(settings, "scheduling.mode", "passthrough")).isNull();

    assertThat(shown(settings, "scheduling.mode"))
        .isEqualTo(
            new Setting(
                "scheduling.mode",
                "passthrough",
                "ENFORCE",
                Source.CONSOLE,
                Changes.LIVE,
                "role ops from 10.0.0.1:5",
                "observe"));
    assertThat(applied)
        .singleElement()
        .extracting(live -> live.exchange().scheduling().mode())
        .isEqualTo(Mode.PASSTHROUGH);
    assertThat(settings.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
  }

  @Test
  void a_value_that_does_not_fit_the_cluster_changes_nothing() throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");
    String refusal =
        settings.change(
            "rules",
            "[{match: {role: etl}, datacenter: dc3}]",
            "ops",
            next -> {
              throw RefusedSettings.of(
                  new InvalidSetting("rules[0].datacenter", "dc3", "must be dc1", "correct it"));
            });
    assertThat(refusal).isEqualTo("rules[0].datacenter: dc3 must be dc1; correct it");
    assertThat(settings.now().rules()).isEmpty();
    assertThat(shown(settings, "rules").source()).isEqualTo(Source.DEFAULT);
  }

  @Test
  void without_a_value_the_file_holds_again() throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");
    change(settings, "scheduling.mode", "passthrough");
    change(settings, "scheduling.ageing", "1");

    assertThat(change(settings, "scheduling.mode", null)).isNull();

    assertThat(shown(settings, "scheduling.mode").source()).isEqualTo(Source.FILE);
    assertThat(settings.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(settings.now().scheduling().ageing()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "scheduling.mode | enfroce | scheduling.mode: \"enfroce\" must be one of enforce, observe,"
            + " passthrough; did you mean enforce?",
        "scheduling.rangeBacklog | 0 | scheduling.rangeBacklog: 0 must be above 0;"
            + " the default is 0.3",
        "scheduling.rangeSlotsMin | 9 | scheduling.rangeSlotsStart: 4 (the default) must be at"
            + " least rangeSlotsMin (9); raise it or lower rangeSlotsMin",
        "console.roles | ops | console.roles: \"ops\" must be a list, such as [a, b];"
            + " `server --reference` shows an example",
        "requestTimeout | soon | requestTimeout: \"soon\" must be a duration with its unit, such as"
            + " 500ms, 5s or 2m; `server --reference` shows an example",
        "logging.level | LOUD | logging.level: \"LOUD\" must be one of TRACE, DEBUG, INFO, WARN,"
            + " ERROR, OFF, ALL; the usual one is INFO",
        "scheduling.none | 1 | scheduling.none: 1 no such key; did you mean mode?",
        "drainTimeout | {a: 1} | drainTimeout: a section must be a duration",
        "drainTimeout | [1 | line 1: not YAML",
        "cql.port | 1 | cql.port is read only at the start: change it in the file, and restart",
        "logging.loggers.io.netty | LOUD | logging.loggers.io.netty: \"LOUD\" must be one of",
        "logging.loggers.io.netty | {level: INFO} | logging.loggers.io.netty accepts only a level",
        "logging.appenders | [] | logging.appenders is read only at the start",
      })
  void a_bad_value_is_refused_in_the_words_of_a_start(String key, String value, String words)
      throws Exception {
    LiveSettings settings = file("scheduling: {pointBacklog: 0.5}");
    List<Setting> before = settings.shown();

    assertThat(change(settings, key, value)).startsWith(words);

    assertThat(applied).isEmpty();
    assertThat(settings.shown()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheduling.mode=observe",
        "scheduling.pointPriority=false",
        "scheduling.rangeOrder=narrow-first",
        "scheduling.concurrentReads=7",
        "scheduling.rangeSlots=2",
        "scheduling.rangeSlotsStart=5",
        "scheduling.rangeSlotsMin=2",
        "scheduling.rangeShare=0.3",
        "scheduling.hedgeShare=0.03",
        "scheduling.readTimeout=3s",
        "scheduling.rangeTimeout=4s",
        "scheduling.pointBacklog=0.25",
        "scheduling.rangeBacklog=0.75",
        "scheduling.ageing=0.125",
        "scheduling.tenantWeights={reports: 0.5}",
        "slowLog.pointReads=50ms",
        "slowLog.rangeReads=5s",
        "slowLog.writes=60ms",
        "slowLog.literals=true",
        "slowLog.linesPerSecond=3",
        "audit.logins=true",
        "audit.refusals=true",
        "audit.changes=true",
        "audit.linesPerSecond=3",
        "requestTimeout=2s",
        "nodeAgent.hints=false",
        "console.roles=[ops, dba]",
        "rules=[{match: {role: analytics, class: range}, limits: {rangeReads: 4}}]",
      })
  void every_live_setting_of_the_proxy_reaches_it(String change) throws Exception {
    LiveSettings settings = file("");
    LiveConfig before = settings.now().proxyConfig().live();
    String key = change.substring(0, change.indexOf('='));

    assertThat(change(settings, key, change.substring(key.length() + 1))).isNull();

    assertThat(applied).singleElement().isNotEqualTo(before);
  }

  @Test
  void what_is_not_listed_above_is_the_hosts_or_needs_a_restart() throws Exception {
    assertThat(file("").shown())
        .filteredOn(setting -> setting.changes() == Changes.LIVE)
        .filteredOn(setting -> !setting.key().startsWith("logging.loggers."))
        .hasSize(28 + List.of("drainTimeout", "logging.level").size());
  }

  @Test
  void the_hosts_own_settings_change_too() throws Exception {
    LiveSettings settings = file("");
    assertThat(change(settings, "drainTimeout", "5s")).isNull();
    assertThat(settings.now().drainTimeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void the_log_tells_who_has_changed_what_at_any_level() throws Exception {
    LiveSettings settings = file("");
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    LiveSettings.keepChangesLogged();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.addAppender(log);
    try {
      change(settings, "logging.level", "OFF");
      change(settings, "drainTimeout", "5s");
      assertThat(root.getLevel()).isEqualTo(Level.OFF);
    } finally {
      root.setLevel(before);
      root.detachAppender(log);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "role ops from 10.0.0.1:5 has set logging.level to OFF, it was INFO",
            "role ops from 10.0.0.1:5 has set drainTimeout to 5s, it was 30s");
  }

  private static @Nullable Level level(String logger) {
    return ((Logger) LoggerFactory.getLogger(logger)).getLevel();
  }

  @Test
  void the_level_of_any_logger_can_be_set_and_is_shown_until_the_file_holds_again(
      @TempDir Path folder) throws Exception {
    String logger = "of.live.settings.test";
    String key = "logging.loggers." + logger;
    LiveSettings settings = file("logging: {loggers: {" + logger + ": WARN}}");
    assertThat(change(settings, key, "TRACE")).isNull();
    assertThat(level(logger)).isEqualTo(Level.TRACE);

    Path without = Files.writeString(folder.resolve("c.yml"), withCluster(""));
    settings.reload(ConfigurationText.read(without), applied::add);
    assertThat(level(logger)).isEqualTo(Level.TRACE);
    assertThat(shown(settings, key))
        .isEqualTo(
            new Setting(
                key, "TRACE", "", Source.CONSOLE, Changes.LIVE, "role ops from 10.0.0.1:5", ""));

    assertThat(change(settings, key, null)).isNull();
    assertThat(level(logger)).isNull();
    assertThat(settings.shown()).extracting(Setting::key).doesNotContain(key);
    assertThat(settings.isLevel(key)).isTrue();
    assertThat(settings.isLevel("drainTimeout")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".level", ".additive", ".appenders"})
  void a_logger_with_appenders_of_its_own_does_not_change(String part) throws Exception {
    String key = "logging.loggers.of.this.test" + part;
    LiveSettings settings =
        file("logging: {loggers: {of.this.test: {level: INFO, additive: false, appenders: []}}}");
    assertThat(settings.isLevel(key)).isFalse();
    assertThat(change(settings, key, "DEBUG"))
        .isEqualTo(key + " is read only at the start: change it in the file, and restart");
  }

  @Test
  void a_map_is_one_value() throws Exception {
    LiveSettings settings = file("scheduling: {tenantWeights: {reports: 0.5, shop: 2}}");
    assertThat(shown(settings, "scheduling.tenantWeights").value())
        .isEqualTo("{\"reports\":0.5,\"shop\":2}");
    change(settings, "scheduling.tenantWeights", "{reports: 3}");
    assertThat(settings.now().scheduling().tenantWeights()).isEqualTo(Map.of("reports", 3.0));
  }

  @Test
  void a_secret_file_that_is_gone_since_the_start_does_no_harm(@TempDir Path folder)
      throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "s3cret\n");
    LiveSettings settings = file("admin: {token: '${file:" + secret + "}'}");
    Files.delete(secret);

    assertThat(change(settings, "scheduling.mode", "observe")).isNull();

    assertThat(settings.now().admin().token()).isNotNull();
    assertThat(settings.shown().toString()).doesNotContain("s3cret");
  }

  /** The mark of a variable is valid text, in YAML also as an escape. */
  @Test
  void a_value_cannot_bring_in_the_content_of_a_file(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "s3cret");
    LiveSettings settings = file("");
    for (String value :
        List.of("[\uE000file:" + secret + "\uE001]", "[\"\\uE000file:" + secret + "\\uE001\"]")) {
      assertThat(change(settings, "console.roles", value))
          .isEqualTo("console.roles accepts no variable: write the value itself");
    }
    assertThat(settings.now().console().roles()).isEmpty();
  }

  /** As with a value of the start that the checks did not refuse then. */
  @Test
  void a_file_that_conflicts_only_with_values_of_the_start_is_refused_with_the_reason(
      @TempDir Path folder) throws Exception {
    SettingsReader reader = new SettingsReader(Map.of());
    ReadFile started = read(reader, withCluster("scheduling: {mode: observe}"));
    ObjectNode given = started.given().deepCopy().put("ioThreads", -1);
    LiveSettings settings =
        new LiveSettings(reader, new ReadFile(started.written(), given, started.settings()));
    Path next = Files.writeString(folder.resolve("c.yml"), withCluster("drainTimeout: 5s"));

    assertThatThrownBy(() -> settings.reload(ConfigurationText.read(next), applied::add))
        .isInstanceOfSatisfying(
            InvalidSettings.class,
            refused ->
                assertThat(refused.faults())
                    .containsExactly(
                        new Fault(
                            "ioThreads",
                            "-1",
                            "must be at least 0",
                            "it conflicts with keys that need a restart")));
    assertThat(settings.now().drainTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(applied).isEmpty();
  }

  private InetSocketAddress lookUp(InetSocketAddress name) {
    lookedUp.add(name.getHostString());
    try {
      byte[] ip = {10, 0, 0, (byte) lookedUp.size()};
      return new InetSocketAddress(
          InetAddress.getByAddress(name.getHostString(), ip), name.getPort());
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private LiveSettings startedWithNames() throws Exception {
    SettingsReader reader = new SettingsReader(Map.of(), this::lookUp);
    LiveSettings settings = new LiveSettings(reader, read(reader, NAMES));
    assertThat(lookedUp)
        .containsExactlyInAnyOrder("proxy.invalid", "other.invalid", "node.invalid", "10.0.0.1");
    lookedUp.clear();
    return settings;
  }

  @Test
  void a_reload_that_fails_changes_nothing_and_is_complete_the_next_time(@TempDir Path folder)
      throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");
    Path next =
        Files.writeString(folder.resolve("c.yml"), withCluster("scheduling: {mode: enforce}"));
    assertThatThrownBy(
            () ->
                settings.reload(
                    ConfigurationText.read(next),
                    live -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    assertThat(settings.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);
    settings.reload(ConfigurationText.read(next), applied::add);
    assertThat(applied).hasSize(1);
    assertThat(settings.now().scheduling().mode()).isEqualTo(Mode.ENFORCE);
  }

  /** A lane that shows them must not wait for a change, which takes long. */
  @Test
  void the_settings_before_a_change_are_shown_to_other_threads_until_it_is_applied()
      throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");
    List<Setting> before = settings.shown();
    List<List<Setting>> seen = new ArrayList<>();
    settings.change(
        "scheduling.mode",
        "enforce",
        "ops",
        next ->
            seen.add(CompletableFuture.supplyAsync(settings::shown).orTimeout(20, SECONDS).join()));
    assertThat(seen).containsExactly(before);
    assertThat(settings.shown()).isNotEqualTo(before);
  }

  /** The proxy may have applied a part of the change. */
  @Test
  void after_a_change_that_throws_a_reload_is_applied_even_of_the_same_file(@TempDir Path folder)
      throws Exception {
    LiveSettings settings = file("scheduling: {mode: observe}");
    assertThatThrownBy(
            () ->
                settings.change(
                    "scheduling.mode",
                    "enforce",
                    "ops",
                    live -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    Path same =
        Files.writeString(folder.resolve("c.yml"), withCluster("scheduling: {mode: observe}"));
    settings.reload(ConfigurationText.read(same), applied::add);
    assertThat(applied)
        .singleElement()
        .extracting(live -> live.exchange().scheduling().mode())
        .isEqualTo(Mode.OBSERVE);
  }

  @Test
  void a_change_looks_up_no_names_and_keeps_their_addresses() throws Exception {
    LiveSettings settings = startedWithNames();
    Settings before = settings.now();

    assertThat(change(settings, "scheduling.mode", "passthrough")).isNull();
    assertThat(change(settings, "scheduling.mode", null)).isNull();

    assertThat(lookedUp).isEmpty();
    assertThat(settings.now().cql()).isEqualTo(before.cql());
    assertThat(settings.now().cluster()).isEqualTo(before.cluster());
  }

  @Test
  void a_reload_looks_up_only_names_that_the_first_file_does_not_have(@TempDir Path folder)
      throws Exception {
    LiveSettings settings = startedWithNames();
    Settings before = settings.now();
    String text = NAMES.replace("10.0.0.1]", "new.invalid]") + "drainTimeout: 5s\n";
    Path next = Files.writeString(folder.resolve("c.yml"), text);

    settings.reload(ConfigurationText.read(next), applied::add);

    assertThat(lookedUp).containsExactly("new.invalid");
    assertThat(settings.now().drainTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.now().cluster()).isEqualTo(before.cluster());
    assertThat(settings.pending()).containsExactly("cluster.contactPoints");
  }

  @Test
  void a_name_that_was_unknown_at_the_start_is_not_looked_up_again() throws Exception {
    SettingsReader reader =
        new SettingsReader(
            Map.of(),
            name -> {
              lookedUp.add(name.getHostString());
              return name;
            });
    LiveSettings settings = new LiveSettings(reader, read(reader, withCluster("")));
    lookedUp.clear();

    assertThat(change(settings, "scheduling.mode", "observe")).isNull();

    assertThat(lookedUp).isEmpty();
  }
}
