package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.console.HostView.Setting;
import io.sluice.console.LiveConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A configuration file, and the settings of a proxy that are read from it again. */
@DisabledOnOs(OS.WINDOWS)
abstract class ReloadsFixture {

  static final String FIRST = withCluster("scheduling: {mode: observe}");

  final List<LiveConfig> applied = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  @SuppressWarnings("NullAway.Init")
  Path file;

  @SuppressWarnings("NullAway.Init")
  LiveSettings live;

  @SuppressWarnings("NullAway.Init")
  Reloads reloads;

  Instant now = Instant.EPOCH;

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

  void begin(String text) throws IOException, InvalidSettings {
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
  @Nullable String reload() {
    List<@Nullable String> told = new ArrayList<>();
    reloads.ask("the test", told::add);
    reloads.run();
    assertThat(told).hasSize(1);
    return told.get(0);
  }

  /** Lets about this many seconds pass without a request. */
  void pass(int count) {
    for (int i = 0; i < count * 4; i++) {
      reloads.run();
    }
  }

  void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  List<String> lines() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  Setting shown(String key) {
    return live.shown().stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }
}
