package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.SpawnedCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy process whose configuration file changes under load, in front of shared nodes. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class ReloadIT {

  private static final int RELOADS = Integer.getInteger("sluice.it.reloads", 15);
  private static final int UNDER_WAY = 12;
  private static final int KEYS = 200;
  private static final List<String> MODES = List.of("enforce", "observe", "passthrough");

  private static final List<String> BAD =
      List.of(
          "scheduling: {mode: enfroce}\n",
          "cql: {maxUnanswered: 0}\n",
          "cluster:\n  credentials: {username: a, password: 'hunter2\n",
          "cql: {tls: {mode: required, certificate: /none/tls.crt, key: /none/tls.key}}\n",
          "admin: {tokn: hunter2}\n");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicInteger swaps = new AtomicInteger();

  private volatile boolean ending;

  @SuppressWarnings("NullAway.Init")
  private Process process;

  @SuppressWarnings("NullAway.Init")
  private Target proxy;

  @SuppressWarnings("NullAway.Init")
  private String metrics;

  @SuppressWarnings("NullAway.Init")
  private String started;

  @BeforeEach
  void start() throws Exception {
    InetSocketAddress node = Stage.plain().direct().address();
    started =
        """
        cluster: {contactPoints: ["%s:%d"], localDatacenter: datacenter1}
        """
            .formatted(node.getHostString(), node.getPort());
    swap(text(0));
    Files.createSymbolicLink(file(), Path.of("..data", "sluice.yml"));
    process =
        SpawnedCommand.builder(SluiceServer.class, "server", file().toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader said = process.inputReader();
    String line = said.readLine();
    while (line != null && !line.contains("Clients connect to ")) {
      log.add(line);
      line = said.readLine();
    }
    assertThat(line).as("a line of a start: %s", log).isNotNull();
    int port = Integer.parseInt(line.replaceAll(".*Clients connect to [^,]*:(\\d+),.*", "$1"));
    proxy =
        new Target(
            "Sluice with a file",
            true,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            "rel_");
    metrics = "http://127.0.0.1:" + line.replaceAll(".*:(\\d+)/.*", "$1") + "/metrics";
    Thread reader = new Thread(() -> said.lines().forEach(log::add), "proxy's log");
    reader.setDaemon(true);
    reader.start();
  }

  @AfterEach
  void end() {
    ending = true;
    process.destroyForcibly();
  }

  private Path file() {
    return folder.resolve("sluice.yml");
  }

  /** Returns a valid file; only live keys differ. */
  private String text(int number) {
    return started
        + """
        cql: {host: 127.0.0.1, port: 0}
        admin: {port: 0}
        scheduling:
          mode: %s
          ageing: 0.%03d
          rangeSlots: %d
          tenantWeights: {reports: %d}
        requestTimeout: %ds
        rules:
          - match: {role: reports}
            limits: {requestsPerSecond: %d}
        """
            .formatted(
                MODES.get(number % 3),
                number + 100,
                number % 2 * 4,
                number % 5 + 1,
                number % 3 + 10,
                number + 1);
  }

  /** Replaces the file's content like Kubernetes: by a new folder behind a link. */
  private void swap(String text) throws IOException {
    Path next = Files.createDirectory(folder.resolve("..data_" + swaps.incrementAndGet()));
    Files.writeString(next.resolve("sluice.yml"), text);
    Path link = Files.createSymbolicLink(folder.resolve("..next"), next.getFileName());
    Files.move(
        link,
        folder.resolve("..data"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static Row configuration(CqlSession session) {
    return Objects.requireNonNull(
        session.execute("SELECT * FROM system_proxy.configuration").one());
  }

  private static Row setting(CqlSession session, String key) {
    return Objects.requireNonNull(
        session.execute("SELECT * FROM system_proxy.settings WHERE key = '" + key + "'").one());
  }

  private void load(CqlSession session, PreparedStatement point, PreparedStatement range, int of) {
    if (ending) {
      return;
    }
    int next = (of * 31 + 7) % KEYS;
    session
        .executeAsync(of % 4 == 0 ? range.bind() : point.bind(next))
        .whenComplete(
            (AsyncResultSet rows, @Nullable Throwable failure) -> {
              if (failure != null) {
                failures.add(failure);
              } else {
                answered.incrementAndGet();
              }
              load(session, point, range, next + 1);
            });
  }

  private void signal() throws Exception {
    String[] kill = {"kill", "-HUP", String.valueOf(process.pid())};
    assertThat(new ProcessBuilder(kill).start().waitFor()).isZero();
  }

  private SpawnedCommand command() throws Exception {
    String address = "127.0.0.1:" + proxy.address().getPort();
    return SpawnedCommand.run(folder, SluiceServer.class, "reload", address);
  }

  /** Makes the proxy read its file, in one of the possible ways. */
  private void reload(CqlSession session, int number, boolean bad) throws Exception {
    long before = configuration(session).getLong("reloads");
    if (number % 15 == 4) {
      SpawnedCommand command = command();
      assertThat(command.exitCode()).as(command.out() + command.err()).isEqualTo(bad ? 1 : 0);
    } else if (number % 15 == 9) {
      // The proxy checks the file itself.
      await()
          .atMost(Waiting.PATIENCE)
          .until(() -> configuration(session).getLong("reloads") > before);
    } else if (number % 5 == 2) {
      signal();
      await()
          .atMost(Waiting.PATIENCE)
          .until(() -> configuration(session).getLong("reloads") > before);
    } else {
      String cql =
          "UPDATE system_proxy.configuration SET state = 'reload' WHERE file = '" + file() + "'";
      if (bad) {
        assertThatThrownBy(() -> session.execute(cql))
            .isInstanceOf(InvalidQueryException.class)
            .hasMessageContaining(file().toString());
      } else {
        session.execute(cql);
      }
    }
  }

  @Test
  void reloads_under_load_lose_no_request_and_bad_files_change_nothing() throws Exception {
    try (CqlSession session = JavaDriver.open(proxy, Wire.USUAL);
        CqlSession console = JavaDriver.open(proxy, Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS reloads WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS reloads.t (k int PRIMARY KEY, v text)");
      for (int key = 0; key < KEYS; key++) {
        session.execute("INSERT INTO reloads.t (k, v) VALUES (" + key + ", 'x')");
      }
      PreparedStatement point = session.prepare("SELECT v FROM reloads.t WHERE k = ?");
      PreparedStatement range = session.prepare("SELECT k FROM reloads.t");
      for (int i = 0; i < UNDER_WAY; i++) {
        load(session, point, range, i);
      }
      int held = 0;
      for (int i = 1; i <= RELOADS; i++) {
        boolean bad = i % 3 == 0;
        swap(bad ? BAD.get(i / 3 % BAD.size()) + text(i) : text(i));
        reload(console, i, bad);
        held = bad ? held : i;

        Row now = configuration(console);
        assertThat(now.getString("state"))
            .as("reload %d", i)
            .isEqualTo(bad ? "refused" : "current");
        assertThat(now.isNull("error")).isEqualTo(!bad);
        Row ageing = setting(console, "scheduling.ageing");
        assertThat(ageing.getString("value")).isEqualTo(String.valueOf((held + 100) / 1000.0));
        assertThat(ageing.getString("source")).isEqualTo("file");
        assertThat(setting(console, "scheduling.mode").getString("value"))
            .isEqualTo(MODES.get(held % 3));
        Row limit =
            Objects.requireNonNull(
                console.execute("SELECT allowed FROM system_proxy.limits").one());
        assertThat(limit.getDouble("allowed")).isEqualTo(held + 1);
      }
      aRestartKeyAndAnUpdate(console);
      ending = true;
      assertThat(failures).isEmpty();
      assertThat(answered.get()).isGreaterThan(RELOADS);
      System.out.println(
          RELOADS + " reloads, " + answered + " requests answered, " + failures.size() + " failed");
    }
    assertThat(counts().get("refused")).isGreaterThanOrEqualTo(RELOADS / 3);
    assertThat(counts().get("applied")).isGreaterThanOrEqualTo(RELOADS - RELOADS / 3);
    assertThat(log.toString()).contains("Reload refused").doesNotContain("hunter2");
  }

  /**
   * Checks that keys that need a restart keep their value, and that an UPDATE overrides the file.
   */
  private void aRestartKeyAndAnUpdate(CqlSession console) throws Exception {
    console.execute(
        "UPDATE system_proxy.settings SET value = 'observe' WHERE key = 'scheduling.mode'");
    swap(text(3).replace("port: 0}\nadmin", "port: 1, maxConnections: 77}\nadmin"));
    SpawnedCommand command = command();
    assertThat(command.exitCode()).as(command.err()).isZero();
    assertThat(command.out()).contains("needs a restart  cql.maxConnections, cql.port");
    Row mode = setting(console, "scheduling.mode");
    assertThat(mode.getString("value")).isEqualTo("observe");
    assertThat(mode.getString("source")).isEqualTo("console");
    assertThat(mode.getString("after_restart")).isEqualTo("enforce");
    Row most = setting(console, "cql.maxConnections");
    assertThat(most.getString("value")).isEqualTo("10000");
    assertThat(most.getString("after_restart")).isEqualTo("77");
  }

  private Map<String, Integer> counts() throws Exception {
    String page =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(URI.create(metrics)).build(), BodyHandlers.ofString())
            .body();
    return Map.of("refused", count(page, "refused"), "applied", count(page, "applied"));
  }

  private static int count(String page, String result) {
    String name = "sluice_configuration_reloads_total{result=\"" + result + "\"} ";
    return page.lines()
        .filter(line -> line.startsWith(name))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }
}
