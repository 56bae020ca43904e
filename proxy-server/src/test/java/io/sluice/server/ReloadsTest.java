package io.sluice.server;

import static io.sluice.server.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.Setting;
import io.sluice.console.LiveConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Reloads of the configuration file: the settings afterwards, and the messages. */
@DisabledOnOs(OS.WINDOWS)
class ReloadsTest {

  private static final String FIRST = withCluster("scheduling: {mode: observe}");

  private final List<LiveConfig> applied = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path file;

  @SuppressWarnings("NullAway.Init")
  private LiveSettings live;

  @SuppressWarnings("NullAway.Init")
  private Reloads reloads;

  private Instant now = Instant.EPOCH;

  @BeforeEach
  void start() throws Exception {
    log.start();
    logger(Reloads.class).addAppender(log);
    logger(LiveSettings.class).addAppender(log);
    LiveSettings.keepChangesLogged();
    file = folder.resolve("sluice.yml");
    begin(FIRST);
  }

  @AfterEach
  void end() {
    logger(Reloads.class).detachAppender(log);
    logger(LiveSettings.class).detachAppender(log);
    reloads.close();
  }

  private static Logger logger(Class<?> of) {
    return (Logger) LoggerFactory.getLogger(of);
  }

  private void begin(String text) throws IOException, InvalidSettings {
    Files.writeString(file, text);
    SettingsReader reader = new SettingsReader(Map.of());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    live =
        new LiveSettings(
            reader, reader.file(path -> new ByteArrayInputStream(bytes), "sluice.yml"));
    reloads = new Reloads(file, ConfigurationText.read(file), live, () -> now);
    reloads.proxy(applied::add);
  }

  /** Runs a requested reload. */
  private @Nullable String reload() {
    List<@Nullable String> told = new ArrayList<>();
    reloads.ask("the test", told::add);
    reloads.run();
    assertThat(told).hasSize(1);
    return told.get(0);
  }

  /** Lets about this many seconds pass without a request. */
  private void pass(int count) {
    for (int i = 0; i < count * 4; i++) {
      reloads.run();
    }
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  private List<String> lines() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private Setting shown(String key) {
    return live.shown().stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }

  @Test
  void settings_that_do_not_fit_the_cluster_change_nothing() throws Exception {
    reloads.proxy(
        next -> {
          throw RefusedSettings.of(
              new InvalidSetting("rules[0].datacenter", "dc3", "must be dc1 or dc2", "correct it"));
        });
    write(withCluster("scheduling: {mode: enforce}\n"));

    assertThat(reload()).contains("rules[0].datacenter: dc3 must be dc1 or dc2; correct it");
    assertThat(shown("scheduling.mode").value()).isEqualTo("observe");
    assertThat(reloads.state().state()).isEqualTo("refused");
  }

  @Test
  void live_keys_hold_at_once_and_the_others_after_a_restart() throws Exception {
    write(withCluster("scheduling: {mode: enforce, ageing: 0.25}\ncql: {port: 9999}\n"));
    now = Instant.ofEpochSecond(7);

    assertThat(reload()).isNull();

    assertThat(applied).hasSize(1);
    assertThat(applied.get(0).exchange().scheduling().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(live.now().scheduling().ageing()).isEqualTo(0.25);
    assertThat(live.now().cql().port()).as("needs a restart").isEqualTo(9042);
    assertThat(shown("cql.port"))
        .isEqualTo(new Setting("cql.port", "9042", "9042", "default", "restart", "9999"));
    assertThat(shown("scheduling.ageing"))
        .isEqualTo(new Setting("scheduling.ageing", "0.25", "0.5", "file", "live", null));
    Configuration state = reloads.state();
    assertThat(state.state()).isEqualTo("current");
    assertThat(state.since()).isEqualTo(now);
    assertThat(state.pending()).isEqualTo("cql.port");
    assertThat(state.changed())
        .isEqualTo("scheduling.ageing: 0.5 -> 0.25, scheduling.mode: observe -> enforce");
    assertThat(lines())
        .containsExactly(
            "Reload of "
                + file
                + " (the test): scheduling.ageing: 0.5 -> 0.25, scheduling.mode: observe ->"
                + " enforce; needs a restart: cql.port");
  }

  @Test
  void a_key_that_is_taken_out_of_the_file_has_its_default_again() throws Exception {
    write(withCluster("rules: []"));
    assertThat(reload()).isNull();
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(shown("scheduling.mode").source()).isEqualTo("default");
  }

  @Test
  void a_key_of_a_restart_that_is_set_back_waits_for_nothing() throws Exception {
    write(FIRST + "cql: {port: 1}\n");
    reload();
    assertThat(reloads.pending()).isEqualTo(1);
    write(FIRST);
    reload();
    assertThat(reloads.pending()).isZero();
    assertThat(reloads.state().pending()).isEmpty();
    assertThat(applied).as("no live key has changed").isEmpty();
  }

  @Test
  void another_notation_of_the_same_value_is_no_change() throws Exception {
    write(
        """
        # a comment
        scheduling: {mode: OBSERVE, readTimeout: null}
        cluster: {contactPoints: ["10.0.0.1:9042"], localDatacenter: "dc1"}
        cql: {port: 9042, handshakeTimeout: 10000ms}
        split: {parallel: Waves}
        """);

    assertThat(reload()).isNull();

    assertThat(reloads.state().changed()).isEmpty();
    assertThat(reloads.state().pending()).isEmpty();
    assertThat(applied).isEmpty();
  }

  @Test
  void an_update_wins_over_the_file_until_it_is_deleted() throws Exception {
    live.change("scheduling.mode", "passthrough", "ops", applied::add);
    applied.clear();
    write(withCluster("scheduling: {mode: enforce, ageing: 1}"));

    assertThat(reload()).isNull();

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(live.now().scheduling().ageing()).isEqualTo(1);
    assertThat(shown("scheduling.mode"))
        .isEqualTo(
            new Setting("scheduling.mode", "passthrough", "ENFORCE", "console", "live", "enforce"));
    assertThat(lines()).last().asString().contains("set by UPDATE, which stays: scheduling.mode");

    live.change("scheduling.mode", null, "ops", applied::add);
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.ENFORCE);
  }

  @Test
  void a_file_that_is_valid_but_not_beside_an_update_is_refused_with_the_reason() throws Exception {
    live.change("scheduling.rangeSlotsMin", "4", "ops", applied::add);
    applied.clear();
    write(withCluster("scheduling: {mode: enforce, rangeSlotsStart: 2}"));

    assertThat(reload())
        .contains("scheduling.rangeSlotsStart")
        .contains("set by UPDATE (scheduling.rangeSlotsMin)");
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(applied).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheduling: {mode: enfroce}\ncql: {port: 1}",
        "scheduling: {mode: enforce, ageing: 7}",
        "scheduling: {mode: enforce}\nnonsense: 1",
        "scheduling: {mode: enforce}\ncql: {tls: {mode: required, certificate: /none, key: /none}}",
        "scheduling:\n  mode: enforce\n  mode: observe",
        "scheduling: {mode: enf",
        "\u0000\u0001\u0002",
        "- a\n- b",
        "scheduling: &a [*a]",
        "${NOT_SET}: 1",
        "cql: {port: ${NOT_SET}}",
        "rules: [{match: {role: a}, action: refuze}]",
      })
  void a_bad_file_changes_nothing_and_is_told(String text) throws Exception {
    List<Setting> before = live.shown();
    Settings settings = live.now();
    write(withCluster(text));

    String error = reload();

    assertThat(error).startsWith(file + ": ").doesNotContain("\n");
    assertThat(live.shown()).isEqualTo(before);
    assertThat(live.now()).isSameAs(settings);
    assertThat(applied).isEmpty();
    assertThat(reloads.state().state()).isEqualTo("refused");
    assertThat(reloads.state().error()).isEqualTo(error);
    assertThat(reloads.state().refused()).isEqualTo(1);
    assertThat(lines()).singleElement().asString().contains("the settings stay unchanged");

    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(reloads.state().state()).isEqualTo("current");
    assertThat(reloads.state().error()).isNull();
  }

  @Test
  void a_fault_is_told_with_its_line_its_key_and_what_to_write() throws Exception {
    write("# first\n" + withCluster("\nscheduling:\n  ageing: 1\n  mode: enfroce"));
    assertThat(reload())
        .isEqualTo(
            file
                + ": line 5, scheduling.mode: \"enfroce\" must be one of enforce, observe,"
                + " passthrough; did you mean enforce?");
  }

  @Test
  void a_file_that_is_empty_lacks_its_cluster() throws Exception {
    write("");
    assertThat(reload()).contains("cluster.contactPoints");
  }

  @Test
  void a_file_with_many_faults_is_a_bounded_line() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("nonsense").append(i).append(": ").append("x".repeat(500)).append('\n');
    }
    write(withCluster(text.toString()));
    assertThat(reload()).hasSizeLessThan(6_000).contains("480 more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster:\n  credentials: {username: a, password: 'hunter2",
        "cluster:\n  credentials: {username: a, password: *hunter2}",
        "cluster:\n  credentials: {username: a, password: !hunter2 x}",
        "cluster:\n  credentials: {username: a, password: !<hunter2> x}",
        "cluster:\n  credentials: {username: a, password: %hunter2}",
        "cluster:\n  credentials: {username: a, password: @hunter2}",
        "cluster:\n  credentials: {username: a, password: b: hunter2}",
        "cluster:\n  credentials: {username: a, pasword: hunter2}",
        "cluster:\n  credentials: hunter2",
        "cluster:\n  credentials:\n    username: a\n    password: \"hunter2\\q\"",
        "cluster:\n  credentials:\n    username: a\n    password: 'x'\n    hunter2",
        "admin: {tokn: hunter2}",
        "admin: {token: [hunter2]}",
        "cql: {tls: {keyPasswort: hunter2}}",
        "password: hunter2",
      })
  void no_secret_of_a_bad_file_is_told(String text) throws Exception {
    write(text + (text.startsWith("cluster") ? "" : "\n" + FIRST));
    assertThat(reload()).isNotNull().doesNotContain("hunter2");
    assertThat(lines().toString()).doesNotContain("hunter2");
  }

  @Test
  void a_secret_that_changes_needs_a_restart_and_is_not_told() throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "hunter2\n");
    begin(withCluster("admin: {token: '${file:" + secret + "}'}"));
    Files.writeString(secret, "hunter3\n");

    pass(2);

    assertThat(reloads.state().pending()).isEqualTo("admin.token");
    assertThat(shown("admin.token").value()).isEqualTo("***");
    assertThat(shown("admin.token").afterRestart()).isEqualTo("***");
    assertThat(reloads.state().toString() + lines() + live.shown()).doesNotContain("hunter");
  }

  @Test
  void a_changed_file_is_read_when_it_has_settled() throws Exception {
    pass(3);
    assertThat(reloads.state().reloads()).isZero();

    write("scheduling: {mode: pass");
    pass(1);
    write(withCluster("scheduling: {mode: passthrough}"));
    pass(1);
    assertThat(reloads.state().reloads()).as("half-written, then whole").isZero();
    pass(1);

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(reloads.state().readFor()).isEqualTo(Reloads.FILE);
    pass(5);
    assertThat(reloads.state().reloads()).isEqualTo(1);
  }

  @Test
  void a_file_that_is_gone_is_told_once_and_when_it_is_back() throws Exception {
    Files.delete(file);
    pass(10);

    assertThat(reloads.state().error()).isEqualTo(file + " does not exist");
    assertThat(lines()).hasSize(1);
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);

    write(FIRST);
    pass(3);
    assertThat(reloads.state().error()).isNull();
    assertThat(reloads.state().reloads()).isEqualTo(2);
  }

  /** Kubernetes swaps a folder: the file is a link into a link to that folder. */
  @Test
  void a_folder_that_is_swapped_behind_a_link_is_seen() throws Exception {
    Path volume = Files.createDirectory(folder.resolve("volume"));
    Path first = Files.createDirectory(volume.resolve("..2026_11_24_1"));
    Path second = Files.createDirectory(volume.resolve("..2026_11_24_2"));
    Files.writeString(first.resolve("sluice.yml"), FIRST);
    Files.writeString(second.resolve("sluice.yml"), withCluster("scheduling: {mode: passthrough}"));
    Path data = Files.createSymbolicLink(volume.resolve("..data"), first.getFileName());
    file = Files.createSymbolicLink(volume.resolve("sluice.yml"), Path.of("..data/sluice.yml"));
    begin(FIRST);

    Path next = Files.createSymbolicLink(volume.resolve("..data_tmp"), second.getFileName());
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(first.resolve("sluice.yml"));
    Files.delete(first);
    pass(2);

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void what_is_no_regular_file_is_not_read() throws Exception {
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(reload()).contains("is not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    assertThat(reload()).contains("is not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    assertThat(reload()).isNotNull();
    Files.delete(file);
    Files.write(file, new byte[5 << 20]);
    assertThat(reload()).contains("larger than");
  }

  @Test
  void a_storm_is_one_reload() throws Exception {
    List<@Nullable String> told = new ArrayList<>();
    write(withCluster("scheduling: {mode: enforce}"));
    for (int i = 0; i < 1_000; i++) {
      reloads.ask("SIGHUP", told::add);
    }
    reloads.run();
    reloads.run();

    assertThat(told).hasSize(1_000).containsOnlyNulls();
    assertThat(applied).hasSize(1);
    assertThat(reloads.state().reloads()).isEqualTo(1);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void a_reload_that_throws_is_told_and_the_next_one_works() throws Exception {
    reloads.proxy(
        next -> {
          throw new IllegalStateException("broken");
        });
    write(withCluster("scheduling: {mode: enforce}"));
    assertThat(reload()).contains("broken");
    reloads.proxy(applied::add);
    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(applied).hasSize(1);
  }

  @Test
  void who_asks_after_the_end_is_told() {
    reloads.close();
    List<@Nullable String> told = new ArrayList<>();
    reloads.ask("the test", told::add);
    assertThat(told).containsExactly("Sluice is shutting down");
  }

  @Test
  void its_own_thread_looks_at_the_file() throws Exception {
    reloads = new Reloads(file, ConfigurationText.read(file), live, () -> now);
    List<Configuration> told = new CopyOnWriteArrayList<>();
    reloads.begin(applied::add, told::add);
    write(withCluster("scheduling: {mode: enforce}"));
    await().atMost(Duration.ofSeconds(20)).until(() -> !told.isEmpty());
    assertThat(told).first().extracting(Configuration::state).isEqualTo("current");
  }

  @Test
  void levels_of_loggers_change() throws Exception {
    Logger netty = (Logger) LoggerFactory.getLogger("io.netty.of.this.test");
    write(FIRST + "logging: {loggers: {io.netty.of.this.test: TRACE}}\n");
    assertThat(reload()).isNull();
    assertThat(netty.getLevel()).isEqualTo(Level.TRACE);
    assertThat(shown("logging.loggers.io.netty.of.this.test").changes()).isEqualTo("live");
    live.change("logging.loggers.io.netty.of.this.test", "ERROR", "ops", applied::add);
    assertThat(netty.getLevel()).isEqualTo(Level.ERROR);
    live.change("logging.loggers.io.netty.of.this.test", null, "ops", applied::add);
    assertThat(netty.getLevel()).isEqualTo(Level.TRACE);
    write(FIRST);
    assertThat(reload()).isNull();
    assertThat(netty.getLevel()).as("as its parents").isNull();
  }

  @Test
  void reloads_are_counted_from_0_by_what_came_of_them() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ReloadMeters.register(registry, reloads);
    assertThat(counts(registry))
        .isEqualTo(Map.of("applied", 0.0, "unchanged", 0.0, "refused", 0.0));
    reload();
    write("nonsense: 1");
    reload();
    assertThat(gauge(registry, "sluice.configuration.last.reload.successful")).isZero();
    write(FIRST + "cql: {port: 1}\n");
    now = Instant.ofEpochSecond(90);
    reload();
    assertThat(counts(registry))
        .isEqualTo(Map.of("applied", 1.0, "unchanged", 1.0, "refused", 1.0));
    assertThat(gauge(registry, "sluice.configuration.last.reload.successful")).isEqualTo(1);
    assertThat(gauge(registry, "sluice.configuration.timestamp.seconds")).isEqualTo(90);
    assertThat(gauge(registry, "sluice.configuration.pending.keys")).isEqualTo(1);
  }

  private static double gauge(SimpleMeterRegistry registry, String name) {
    return registry.get(name).gauge().value();
  }

  private static Map<String, Double> counts(SimpleMeterRegistry registry) {
    Map<String, Double> counts = new HashMap<>();
    registry
        .get("sluice.configuration.reloads")
        .functionCounters()
        .forEach(each -> counts.put(each.getId().getTag("result"), each.count()));
    return counts;
  }
}
