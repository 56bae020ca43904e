package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The format of the log. */
class LogSettingsTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private List<String> lines(String format) throws Exception {
    Path file = folder.resolve("sluice.log");
    Path slow = folder.resolve("slow.log");
    String appender =
        "{type: file, archive: false, currentLogFilename: '%s', logFormat: '%%level %%msg%%n'}";
    String text =
        "logging: {"
            + format
            + "appenders: ["
            + appender.formatted(file)
            + "], loggers: {of.this.test.slow: {level: INFO, additive: false, appenders: ["
            + appender.formatted(slow).replace("%level ", "")
            + "]}}}";
    Settings settings = SettingsText.read(withCluster(text));
    settings.logging().configure(new MetricRegistry(), "test");
    try {
      LoggerFactory.getLogger("of.this.test").warn("two\nlines of \"{}\"", "it");
      LoggerFactory.getLogger("of.this.test.slow").info("{\"a\": 1}");
    } finally {
      settings.logging().stop();
      settings.logging().reset();
    }
    assertThat(Files.readAllLines(slow)).containsExactly("{\"a\": 1}");
    return Files.readAllLines(file);
  }

  @Test
  void json_is_an_object_for_each_line() throws Exception {
    List<String> lines = lines("format: json, ");
    assertThat(lines).hasSize(1);
    JsonNode line = new ObjectMapper().readTree(lines.get(0));
    assertThat(line.path("level").asText()).isEqualTo("WARN");
    assertThat(line.path("loggerName").asText()).isEqualTo("of.this.test");
    assertThat(line.path("formattedMessage").asText()).isEqualTo("two\nlines of \"it\"");
    assertThat(line.has("timestamp")).isTrue();
  }

  @Test
  void text_is_as_the_appender_says() throws Exception {
    assertThat(lines("")).containsExactly("WARN two", "lines of \"it\"");
  }

  @Test
  void a_format_that_does_not_exist_is_told() {
    assertThat(SettingsText.faults(withCluster("logging: {format: jsonn}")))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.key()).isEqualTo("logging.format");
              assertThat(fault.problem() + fault.suggestion())
                  .contains("text, json", "did you mean json");
            });
  }
}
