package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.sluice.console.HostView.LogLine;
import org.junit.jupiter.api.Test;

/** The lines of the log that are kept. */
class LastWarningsTest {

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("io.sluice.journal.Journal");
  private final LastWarnings warnings = new LastWarnings();

  LastWarningsTest() {
    warnings.setContext(context);
    warnings.start();
    logger.addAppender(warnings);
    logger.setLevel(Level.INFO);
  }

  @Test
  void warnings_and_errors_are_kept_and_nothing_else() {
    logger.info("all is well");
    logger.warn("Node {} is silent", "a");
    logger.error("no node is up");
    assertThat(warnings.lines()).extracting(LogLine::level).containsExactly("WARN", "ERROR");
    LogLine first = warnings.lines().get(0);
    assertThat(first.text()).isEqualTo("Node a is silent");
    assertThat(first.source()).isEqualTo("Journal");
  }

  @Test
  void the_last_200_lines_are_kept_and_none_is_long() {
    for (int i = 1; i <= 300; i++) {
      logger.warn("line {} {}", i, "x".repeat(5_000));
    }
    assertThat(warnings.lines()).hasSize(200);
    assertThat(warnings.lines().get(0).number()).isEqualTo(101);
    assertThat(warnings.lines()).allMatch(line -> line.text().length() < 1_010);
  }
}
