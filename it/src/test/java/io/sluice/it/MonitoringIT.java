package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The expressions of the dashboard and the alerts, checked against the metrics of a process that
 * has served requests.
 */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringIT {

  private static final Path FILES = Path.of("../docker/monitoring");

  private final HttpClient http = HttpClient.newHttpClient();
  private Process server;
  private String metrics = "";
  private Path audit;
  private List<Scrape.Sample> scrape = List.of();

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @BeforeAll
  void serve(@TempDir Path temp) throws Exception {
    Stage.plain().needsProxy();
    int cql = freePort();
    int admin = freePort();
    Target node = Stage.plain().direct();
    Path file = temp.resolve("sluice.yml");
    audit = temp.resolve("audit.log");
    Files.writeString(
        file,
        """
        cql: {host: 127.0.0.1, port: %d, advertise: "127.0.0.1:%d", peers: [keyspace]}
        admin: {port: %d}
        cluster: {contactPoints: ["%s:%d"], localDatacenter: datacenter1}
        rules:
          - {name: none, match: {table: dash.t, noLimit: true}, action: refuse}
          - {name: few, match: {class: write}, limits: {requestsPerSecond: 100}}
        audit: {logins: true, refusals: true, changes: true}
        logging:
          loggers:
            io.sluice.audit:
              level: INFO
              additive: false
              appenders:
                - {type: file, currentLogFilename: %s, logFormat: "%%msg%%n",
                   archivedLogFilenamePattern: %s-%%d.log.gz, archivedFileCount: 7}
        """
            .formatted(cql, cql, admin, node.host(), node.port(), audit, audit));
    ProcessBuilder builder =
        SpawnedCommand.builder(SluiceServer.class, "server", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("log").toFile());
    // So small that garbage is collected during the start: metrics of pauses appear after the first
    // one.
    builder.command().add(1, "-Xmn4m");
    server = builder.start();
    URI pages = URI.create("http://127.0.0.1:" + admin + "/");
    await()
        .atMost(Waiting.PATIENCE)
        .ignoreExceptions()
        .until(() -> get(pages.resolve("readyz")).statusCode() == 200);
    ask(
        new Target(
            "Sluice", true, new InetSocketAddress(InetAddress.getLoopbackAddress(), cql), "mon_"));
    metrics = get(pages.resolve("metrics")).body();
    scrape = Scrape.of(metrics);
  }

  @AfterAll
  void end() throws InterruptedException {
    if (server != null) {
      server.destroy();
      server.waitFor();
    }
  }

  private HttpResponse<String> get(URI page) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request for each kind of response whose metric appears after its first use. */
  private static void ask(Target sluice) {
    try (CqlSession session = JavaDriver.open(sluice, Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS dash WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS dash.t (k int PRIMARY KEY)");
      session.execute("INSERT INTO dash.t (k) VALUES (1)");
      session.execute("SELECT k FROM dash.t WHERE k = 1 LIMIT 1");
      session.execute("SELECT k FROM dash.t LIMIT 100");
      assertThatThrownBy(() -> session.execute("SELECT k FROM dash.t")).isNotNull();
      assertThatThrownBy(() -> session.execute("SELECT nothing FROM dash.t LIMIT 1")).isNotNull();
      session.execute(
          "UPDATE system_proxy.settings SET value = '0.2' WHERE key = 'scheduling.rangeShare'");
      session.execute("DELETE FROM system_proxy.requests WHERE role = 'reports'");
    }
  }

  @Test
  void each_expression_finds_its_metrics_and_labels() throws IOException {
    Map<String, String> expressions = Monitoring.expressions(FILES);
    assertThat(expressions).hasSizeGreaterThan(50);
    assertThat(expressions)
        .allSatisfy(
            (where, expression) ->
                assertThat(Monitoring.unresolved(expression, scrape))
                    .as("%s: %s", where, expression)
                    .isEmpty());
  }

  /** The metrics of the JVM and Netty have Micrometer's names. */
  @Test
  void names_follow_the_conventions_of_prometheus() {
    assertThat(MetricsLint.problems(metrics))
        .filteredOn(problem -> problem.startsWith("sluice_"))
        .isEmpty();
    assertThat(
            MetricsLint.problems(
                """
                # HELP sluice_reads Reads
                # TYPE sluice_reads counter
                sluice_reads{readClass="point"} 1
                # TYPE sluice_wait_ms gauge
                sluice_wait_ms 2
                """))
        .containsExactlyInAnyOrder(
            "sluice_reads: a counter ends in _total, and nothing else does; it is a counter",
            "sluice_reads: label readClass",
            "sluice_wait_ms: no help",
            "sluice_wait_ms: no base unit");
  }

  @Test
  void logins_refusals_and_changes_are_in_the_audit_log() {
    await()
        .atMost(Waiting.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Files.readString(audit))
                    .containsPattern("\"event\": \"login\".*\"role\": \"anonymous\".*ava")
                    .containsPattern(
                        "\"event\": \"refused\".*\"table\": \"t\".*Rule none refuses this")
                    .containsPattern(
                        "\"event\": \"changed\", \"by\": \"role anonymous from 127.0.0.1:\\d+\","
                            + " \"setting\": \"scheduling.rangeShare\", \"value\": \"0.2\"")
                    .containsPattern("\"event\": \"ended\", \"by\": .*\"requests\": 0"));
  }

  @Test
  void the_process_says_what_it_is_and_that_it_serves() {
    assertThat(metrics).containsPattern("(?m)^sluice_ready 1(\\.0)?$");
    assertThat(metrics)
        .containsPattern("(?m)^sluice_build_info\\{java=\"[^\"]+\",version=\"[^\"]+\"} 1(\\.0)?$");
    assertThat(metrics).containsPattern("(?m)^sluice_client_drivers\\{driver=\"java\"} 0(\\.0)?$");
    assertThat(metrics)
        .containsPattern(
            "(?m)^sluice_read_phase_seconds_count\\{class=\"point\",node=\"[^\"]+\",phase=\"node\"}"
                + " [1-9]");
  }

  @Test
  void advise_reports_the_reads_of_the_nodes(@TempDir Path temp) throws Exception {
    Target node = Stage.plain().direct();
    AtomicBoolean over = new AtomicBoolean();
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      for (int k = 0; k < 500; k++) {
        session.execute("INSERT INTO dash.t (k) VALUES (" + k + ")");
      }
      List<Thread> clients = new ArrayList<>();
      for (String cql : List.of("SELECT k FROM dash.t WHERE k = 1", "SELECT k FROM dash.t")) {
        // More clients leave the command no processor time to start on a small machine.
        for (int i = 0; i < 2; i++) {
          clients.add(reads(session, cql, over));
        }
      }
      SpawnedCommand said =
          SpawnedCommand.run(
              temp,
              SluiceServer.class,
              "advise",
              "--hosts",
              node.host() + ":" + node.port(),
              "--seconds",
              "3");
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
      assertThat(said.exitCode()).as(said.err()).isZero();
      assertThat(said.out())
          .startsWith("NODE")
          .containsPattern("(?m)^\\S*:" + node.port() + " .* \\d+ %|–$")
          .containsPattern(
              "(Of the time of point reads at nodes, .*%|Point reads do not wait|nothing can be said)")
          .contains("What these tables do not show:");
      assertThat(said.out().lines().skip(1).takeWhile(line -> !line.isEmpty())).hasSize(3);
    }
  }

  private static Thread reads(CqlSession session, String cql, AtomicBoolean over) {
    Thread thread =
        new Thread(
            () -> {
              while (!over.get()) {
                session.execute(cql).all();
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void missing_metrics_and_labels_are_found() {
    for (String wrong :
        List.of(
            "sum(rate(sluice_request_seconds_sum[5m]))",
            "sluice_queued{class=\"points\"}",
            "sluice_queued{klass=\"point\"}",
            "sum by (nodes) (sluice_queued)",
            "sluice_requests_seconds_sum{shape=~\"point|scan\"}")) {
      assertThat(Monitoring.unresolved(wrong, scrape)).as(wrong).isNotEmpty();
    }
    assertThat(Monitoring.unresolved("sum by (le, node) (sluice_queued{class=\"point\"})", scrape))
        .containsExactly("le");
  }
}
