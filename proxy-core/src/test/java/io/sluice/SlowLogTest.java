package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.LiveConfig;
import io.sluice.testkit.CapturedLog;
import io.sluice.usage.SlowLogConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the log of slow calls. */
class SlowLogTest {

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofHours(1);

  @RegisterExtension final CapturedLog log = CapturedLog.of("io.sluice.slow");

  private final PathFixture fixture = new PathFixture(2);

  @BeforeEach
  void follow() {
    fixture.allDo(
        request -> {
          until(Duration.ofMillis(3));
          return TestRequests.rows();
        });
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void until(Duration passed) {
    long end = System.nanoTime() + passed.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
    }
  }

  private void slow(
      @Nullable Duration points,
      @Nullable Duration ranges,
      @Nullable Duration writes,
      boolean literals,
      int lines)
      throws InterruptedException {
    SlowLogConfig config = new SlowLogConfig(points, ranges, writes, literals, lines);
    LiveConfig now = fixture.host.next;
    fixture.host.next =
        new LiveConfig(now.exchange(), now.roles(), now.rules(), config, now.audit());
    ask("UPDATE system_proxy.settings SET value = 'x' WHERE key = 'scheduling.mode'");
  }

  private String ask(String cql) throws InterruptedException {
    return fixture.ask(query(cql)).answer();
  }

  @Test
  void without_a_threshold_nothing_is_logged() throws InterruptedException {
    ask("SELECT v FROM ks.t WHERE k = 1");
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void each_class_has_its_threshold_and_literals_are_hidden() throws InterruptedException {
    slow(SHORT, NEVER, null, false, 10);
    ask("SELECT v FROM ks.t WHERE k = 77777777");
    ask("SELECT v FROM ks.t");
    ask("INSERT INTO ks.t (k) VALUES (77777777)");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .matches("\\{\"time\": \"20[^\"]+Z\", \"class\": \"point_read\", \"ms\": .*")
        .contains("\"role\": \"anonymous\"", "\"keyspace\": \"ks\"", "\"table\": \"t\"")
        .contains("\"error\": null")
        .contains("\"text\": \"SELECT v FROM ks.t WHERE k = ?\"")
        .doesNotContain("77777777")
        .endsWith("}");
    slow(null, null, SHORT, false, 10);
    ask("INSERT INTO ks.t (k) VALUES (77777777)");
    assertThat(log.lines()).hasSize(2).last().asString().contains("\"class\": \"write\"");
  }

  @Test
  void literals_are_shown_if_configured_and_an_entry_stays_one_line() throws InterruptedException {
    slow(SHORT, null, null, true, 10);
    ask("SELECT v FROM ks.t\nWHERE k = 77777777 /* \"x\" */");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains("WHERE k = 77777777 /* \\\"x\\\" */")
        .doesNotContain("\n");
  }

  @Test
  void a_name_that_no_table_can_have_is_shortened() throws InterruptedException {
    slow(null, null, SHORT, false, 10);
    ask("INSERT INTO \"" + "x".repeat(100_000) + "\".t (k) VALUES (1)");
    assertThat(log.lines()).singleElement().asString().hasSizeLessThan(3_000).contains("xx ...\"");
  }

  @Test
  void an_error_is_logged_with_its_name_and_invalid_cql_is_hidden() throws InterruptedException {
    slow(SHORT, SHORT, SHORT, true, 10);
    fixture.allDo(
        request -> {
          until(Duration.ofMillis(3));
          return CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "no viable alternative");
        });
    ask("SELECT v FROM ks.t WHERE k = 77777777");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains("\"error\": \"SYNTAX_ERROR\"")
        .contains("\"text\": null");
  }
}
