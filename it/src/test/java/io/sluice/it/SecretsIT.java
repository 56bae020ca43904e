package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.tls.TlsConfig.TlsKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proxy process with TLS, roles by certificate and secrets in files, in front of a node that
 * requires a login. Checks which client gets which role, and where the secrets are found
 * afterwards.
 */
@CassandraCluster(nodes = 1, rf = 1, auth = true, needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String REPORTS = "spiffe://example.com/reports";
  private static final String READ = "SELECT v FROM secrets_it.t";

  private final String adminToken = secret();
  private final String certifiedPassword = secret();
  private final String clientPassword = secret();
  private final String wrongPassword = secret();
  private final String statedPassword = secret();
  private final TestAuthority authority = new TestAuthority();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private ServerProcess server;

  @SuppressWarnings("NullAway.Init")
  private Target proxy;

  private static String secret() {
    return "s3cret-" + UUID.randomUUID();
  }

  @BeforeAll
  void start() throws Exception {
    Target node = Stage.auth().direct();
    try (CqlSession superuser = JavaDriver.openAs(node, "cassandra", "cassandra")) {
      for (String cql :
          List.of(
              "CREATE ROLE IF NOT EXISTS reports WITH LOGIN = true AND PASSWORD = '"
                  + certifiedPassword
                  + "'",
              "CREATE ROLE IF NOT EXISTS by_password WITH LOGIN = true AND PASSWORD = '"
                  + clientPassword
                  + "'",
              "CREATE KEYSPACE IF NOT EXISTS secrets_it WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': 1}",
              "CREATE TABLE IF NOT EXISTS secrets_it.t (k int PRIMARY KEY, v text)",
              "GRANT SELECT ON secrets_it.t TO reports")) {
        superuser.execute(cql);
      }
    }
    startProxy(node);
  }

  private void startProxy(Target node) throws IOException {
    TlsKeys keys = authority.writePem(folder);
    authority.writeAuthority(folder.resolve("ca.crt"));
    Files.writeString(folder.resolve("admin-token"), adminToken + "\n");
    Files.writeString(folder.resolve("reports"), certifiedPassword + "\n");
    String text =
        """
        cql:
          host: 127.0.0.1
          port: 0
          tls:
            mode: required
            certificate: %s
            key: %s
            clientAuth: want
            trust: @/ca.crt
          certificateRoles:
            - {uri: "spiffe://example.com/reports", role: reports, password: "${file:@/reports}"}
            - {subject: "CN=stale", role: reports, password: "a password that has been changed"}
        cluster:
          contactPoints: ["%s:%d"]
          localDatacenter: datacenter1
          credentials: {username: cassandra, password: cassandra}
          links: {idleAfter: 1s}
        admin: {port: 0, token: "${file:@/admin-token}"}
        """
            .formatted(keys.certificate(), keys.key(), node.host(), node.port())
            .replace("@", folder.toString());
    Path file = Files.writeString(folder.resolve("sluice.yml"), text);
    server = ServerProcess.start(file);
    proxy = server.target("sec_");
  }

  @AfterAll
  void end() {
    if (server != null) {
      server.close();
    }
  }

  private CqlSessionBuilder driver(Wire wire, SSLContext tls) {
    return JavaDriver.builder(proxy, wire, false).withSslContext(tls);
  }

  @Test
  void a_client_has_the_role_of_its_certificate_at_the_nodes() {
    for (String version : List.of("V3", "V4", "V5")) {
      Wire wire = new Wire(version, "none");
      try (CqlSession reports = driver(wire, authority.client("CN=any", REPORTS)).build()) {
        assertThat(reports.execute(READ).all()).isEmpty();
        assertThatThrownBy(() -> reports.execute("INSERT INTO secrets_it.t (k, v) VALUES (1, 'x')"))
            .isInstanceOf(UnauthorizedException.class)
            .hasMessageContaining("reports");
      }
    }
  }

  @Test
  void a_certificate_without_a_role_is_refused_with_the_reason() {
    assertThat(refusal(authority.client("CN=any", "spiffe://example.com/another")))
        .contains("stands for no role")
        .contains("spiffe://example.com/another")
        .contains("cql.certificateRoles");
  }

  @Test
  void a_role_whose_password_has_been_changed_is_named() {
    assertThat(refusal(authority.client("CN=stale", "urn:none")))
        .contains("A node refused the role reports")
        .contains("cql.certificateRoles");
  }

  private String refusal(SSLContext tls) {
    AllNodesFailedException failed =
        catchThrowableOfType(
            AllNodesFailedException.class, () -> driver(Wire.USUAL, tls).build().close());
    return failed.getAllErrors().toString();
  }

  @Test
  void a_client_without_a_certificate_logs_in_by_password() {
    try (CqlSession session =
        driver(Wire.USUAL, authority.client())
            .withAuthCredentials("by_password", clientPassword)
            .build()) {
      assertThatThrownBy(() -> session.execute(READ)).isInstanceOf(UnauthorizedException.class);
    }
  }

  /**
   * According to the guide, only the configured secrets and the tokens of connected clients remain.
   */
  @Test
  void secrets_are_nowhere_but_in_memory_and_those_of_clients_only_while_they_are_in()
      throws Exception {
    a_client_without_a_certificate_logs_in_by_password();
    assertThatThrownBy(
            () ->
                driver(Wire.USUAL, authority.client())
                    .withAuthCredentials("by_password", wrongPassword)
                    .build()
                    .close())
        .isInstanceOf(AllNodesFailedException.class);
    StringBuilder shown = new StringBuilder();
    try (CqlSession superuser =
            driver(Wire.USUAL, authority.client())
                .withAuthCredentials("cassandra", "cassandra")
                .build();
        CqlSession reports = driver(Wire.USUAL, authority.client("CN=any", REPORTS)).build()) {
      reports.execute("EXPLAIN " + READ).forEach(row -> shown.append(row.getFormattedContents()));
      superuser.execute(
          "CREATE ROLE IF NOT EXISTS stated WITH LOGIN = true AND PASSWORD = '"
              + statedPassword
              + "'");
      assertThatThrownBy(
              () -> superuser.execute("ALTER ROLE stated WITH PASSWORD = '" + statedPassword))
          .isInstanceOf(SyntaxError.class);
      for (String table :
          List.of(
              "settings",
              "configuration",
              "clients",
              "requests",
              "queues",
              "statements",
              "prepared",
              "links",
              "log",
              "nodes",
              "proxies",
              "rules",
              "tables",
              "tenants")) {
        superuser
            .execute("SELECT * FROM system_proxy." + table)
            .forEach(row -> shown.append(row.getFormattedContents()));
      }
      shown.append(get("/metrics"));
    }
    shown.append(diagnostic("Thread.print"));
    server.log().forEach(shown::append);
    assertThat(shown.toString())
        .contains("certificateRoles")
        .contains("sluice_clients")
        .contains("PASSWORD = ?");
    for (String secret :
        List.of(adminToken, certifiedPassword, clientPassword, wrongPassword, statedPassword)) {
      assertThat(shown.indexOf(secret)).as("where a secret is shown").isNegative();
    }

    // A link that is idle for a second is closed, and its credentials are released.
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> assertThat(inHeap(clientPassword)).as("the password of a client").isFalse());
    assertThat(inHeap(wrongPassword)).as("a wrong password").isFalse();
    assertThat(inHeap(statedPassword)).as("a password in a statement").isFalse();
    assertThat(inHeap(adminToken)).as("the search finds what is there").isTrue();
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.admin() + path))
            .header("Authorization", "Bearer " + adminToken)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private String diagnostic(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    all.add(String.valueOf(server.pid()));
    all.addAll(List.of(command));
    Process jcmd = new ProcessBuilder(all).redirectErrorStream(true).start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jcmd.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  /** Whether the live objects of the proxy contain a text, as a string or as bytes. */
  private boolean inHeap(String text) throws IOException, InterruptedException {
    Path dump = folder.resolve("heap.hprof");
    String said = diagnostic("GC.heap_dump", dump.toString());
    assertThat(said.toLowerCase(Locale.ROOT)).contains("created");
    try (FileChannel file = FileChannel.open(dump)) {
      ByteBuffer bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
      return contains(bytes, text.getBytes(StandardCharsets.ISO_8859_1))
          || contains(bytes, text.getBytes(StandardCharsets.UTF_16BE))
          || contains(bytes, text.getBytes(StandardCharsets.UTF_16LE));
    } finally {
      Files.delete(dump);
    }
  }

  private static boolean contains(ByteBuffer in, byte[] text) {
    int last = in.limit() - text.length;
    for (int at = 0; at <= last; at++) {
      int same = 0;
      while (same < text.length && in.get(at + same) == text[same]) {
        same++;
      }
      if (same == text.length) {
        return true;
      }
    }
    return false;
  }
}
