package io.sluice.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.statement.Statement;
import io.sluice.statement.TestStatements;
import io.sluice.testkit.CapturedLog;
import io.sluice.testkit.Records;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which calls are slow, and their lines. */
class SlowLinesTest {

  private static final Statement READ = TestStatements.of("SELECT v FROM ks.t WHERE k = 77");
  private static final SlowLogConfig CONFIG =
      new SlowLogConfig(
          Duration.ofMillis(10), Duration.ofMillis(1_000), Duration.ofMillis(20), false, 2);

  @RegisterExtension final CapturedLog log = CapturedLog.of("io.sluice.slow");

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private final SlowLog slow = new SlowLog(CONFIG, () -> now);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT v FROM ks.t WHERE k = 1        | 9999999   | false",
        "SELECT v FROM ks.t WHERE k = 1        | 10000000  | true",
        "SELECT v FROM ks.t WHERE k IN (1, 2)  | 10000000  | true",
        "SELECT v FROM ks.t                    | 999999999 | false",
        "SELECT v FROM ks.t                    | 1000000000| true",
        "INSERT INTO ks.t (k, v) VALUES (1, 2) | 19999999  | false",
        "INSERT INTO ks.t (k, v) VALUES (1, 2) | 20000000  | true",
        "TRUNCATE ks.t                         | 9000000000| false",
      })
  void a_call_is_slow_from_the_threshold_of_its_class_on(String cql, long nanos, boolean isSlow) {
    assertThat(slow.isSlow(TestStatements.of(cql), nanos)).isEqualTo(isSlow);
  }

  @Test
  void without_a_threshold_no_call_is_slow() {
    slow.change(SlowLogConfig.off());
    assertThat(slow.isSlow(READ, Long.MAX_VALUE)).isFalse();
  }

  private void write(Statement statement, boolean readable) {
    slow.write(
        statement, "etl", new SlowLog.Call(12_500_000, 1_500_000, 3, 40, "OVERLOADED", readable));
  }

  private String line() {
    return log.lines().get(log.lines().size() - 1);
  }

  @Test
  void a_line_has_the_call_and_its_statement_without_literals() {
    write(READ, true);
    assertThat(line())
        .isEqualTo(
            "{\"time\": \"2026-03-01T12:00:00Z\", \"class\": \"point_read\", \"ms\": 12.5, "
                + "\"queued_ms\": 1.5, \"role\": \"etl\", "
                + "\"keyspace\": \"ks\", \"table\": \"t\", \"rows\": 3, \"bytes\": 40, "
                + "\"error\": \"OVERLOADED\", \"digest\": \"%016x\", \"left_out\": 0, "
                    .formatted(READ.classified().digest())
                + "\"text\": \"SELECT v FROM ks.t WHERE k = ?\"}");
  }

  @Test
  void literals_are_shown_if_an_operator_wants_them_and_a_long_text_is_cut() {
    slow.change(new SlowLogConfig(null, null, null, true, 10));
    write(READ, true);
    assertThat(line()).endsWith("\"text\": \"SELECT v FROM ks.t WHERE k = 77\"}");
    write(Records.with(READ, "cql", "x".repeat(1_000)), true);
    assertThat(line()).endsWith("\"text\": \"" + "x".repeat(1_000) + "\"}");
    write(Records.with(READ, "cql", "x".repeat(1_001)), true);
    assertThat(line()).endsWith("\"text\": \"" + "x".repeat(1_000) + " ...\"}");
  }

  @Test
  void a_text_that_no_node_has_understood_or_that_is_unknown_is_not_shown() {
    write(READ, false);
    assertThat(line()).endsWith("\"text\": null}");
    write(Records.with(READ, "cql", null), true);
    assertThat(line()).endsWith("\"text\": null}");
    slow.change(new SlowLogConfig(null, null, null, true, 10));
    write(Records.with(READ, "cql", null), true);
    assertThat(line()).endsWith("\"text\": null}");
  }

  @Test
  void lines_beyond_the_limit_of_a_second_are_counted_in_the_next_one() {
    for (int i = 0; i < 5; i++) {
      write(READ, true);
    }
    assertThat(log.lines()).hasSize(2);
    now = now.plusSeconds(1);
    write(READ, true);
    assertThat(log.lines()).hasSize(3);
    assertThat(line()).contains("\"left_out\": 3");
  }
}
