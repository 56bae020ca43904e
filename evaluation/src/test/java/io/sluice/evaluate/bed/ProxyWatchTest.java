package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The resources of a proxy, whose process is this one and whose metrics are those of the test. */
class ProxyWatchTest {
  private String metrics = "";

  @SuppressWarnings("NullAway.Init")
  private HttpServer server;

  @SuppressWarnings("NullAway.Init")
  private ProxyWatch watch;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] text = metrics.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    server.start();
    watch =
        new ProxyWatch(
            ProcessHandle.current(),
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void a_reading_has_the_rows_of_the_metrics_over_all_labels() throws InterruptedException {
    metrics =
        """
        # HELP sluice_split_rows_read_total rows
        # TYPE sluice_split_rows_read_total counter
        sluice_split_rows_read_total{table="a b"} 1200.0
        sluice_split_rows_read_total{table="c}"} 300.0 1700000000
        sluice_split_rows_read_total_created 99
        sluice_split_rows_returned_total 1000
        """;
    ProxyWatch.Reading reading = watch.read();

    assertThat(reading.rowsRead()).isEqualTo(1500);
    assertThat(reading.rowsWanted()).isEqualTo(1000);
    assertThat(reading.processor()).isGreaterThanOrEqualTo(Duration.ZERO);
    if (Files.exists(Path.of("/proc/self/status"))) {
      assertThat(reading.memoryMiB()).isBetween(10.0, 100_000.0);
    }
  }

  @Test
  void a_proxy_without_these_metrics_has_unknown_rows() throws InterruptedException {
    metrics = "other 1\n";

    assertThat(watch.read().rowsRead()).isNull();
    assertThat(watch.read().rowsWanted()).isNull();
    assertThat(watch.read().overFetchSince(watch.read())).isNull();
  }

  @Test
  void a_proxy_that_does_not_respond_has_no_rows_and_may_suspect_nodes()
      throws InterruptedException {
    server.stop(0);

    assertThat(watch.read().rowsRead()).isNull();
    assertThat(watch.suspectsNoNode()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sluice_node_suspect{node=\"a\"} 0,sluice_node_suspect{node=\"b\"} 0; true",
        "sluice_node_suspect{node=\"a\"} 0,sluice_node_suspect{node=\"b\"} 1; false",
        "other 0; false"
      })
  void a_proxy_suspects_no_node_only_if_it_reports_that(String lines, boolean none)
      throws InterruptedException {
    metrics = lines.replace(",", "\n") + "\n";

    assertThat(watch.suspectsNoNode()).isEqualTo(none);
  }

  private static ProxyWatch.Reading reading(Double read, Double wanted) {
    return new ProxyWatch.Reading(Duration.ZERO, null, read, wanted);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 100, 400, 300, 0.5",
    "100, 100, 200, 200, 0",
    "0, 0, 0, 0,",
    "100, 100, 150, 100,",
    ", 100, 150, 200,",
    "100, 100, 150, ,"
  })
  void over_fetch_is_that_since_the_earlier_reading(
      Double readBefore, Double wantedBefore, Double read, Double wanted, Double share) {
    assertThat(reading(read, wanted).overFetchSince(reading(readBefore, wantedBefore)))
        .isEqualTo(share);
  }
}
