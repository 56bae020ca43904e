package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line of a key. */
class LineNumbersTest {

  private static final String TEXT =
      """
      # a comment
      cql: {port: 1,
        host: "0.0.0.0"}

      cluster:
        contactPoints:
          - a
          - b
      logging:
        loggers:
          io.netty: WARN
      """;

  @ParameterizedTest
  @CsvSource({
    "cql, 2",
    "cql.port, 2",
    "cql.host, 3",
    "cluster.contactPoints, 6",
    "cluster.contactPoints[0], 7",
    "cluster.contactPoints[1], 8",
    "cluster.localDatacenter, 5",
    "logging.loggers.io.netty, 11",
    "admin.port, 0",
  })
  void a_key_has_its_line_or_that_of_its_section(String key, int line) {
    assertThat(LineNumbers.of(TEXT).of(LiveKeys.path(key))).isEqualTo(line);
  }

  @Test
  void what_follows_a_fault_has_none() {
    LineNumbers lines = LineNumbers.of("a: 1\nb: {c\nd: 2\n");
    assertThat(lines.of(SettingsPath.of("a"))).isEqualTo(1);
    assertThat(lines.of(SettingsPath.of("d"))).isZero();
    assertThat(LineNumbers.of("").of(new SettingsPath(List.of()))).isZero();
  }
}
