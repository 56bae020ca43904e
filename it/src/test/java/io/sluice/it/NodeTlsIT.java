package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.tls.TlsConfig;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with TLS: the certificates that Sluice accepts, and enabling TLS while it serves. */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
class NodeTlsIT {

  private static final int PORTS_FURTHER = 60;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String READ = "SELECT v FROM node_tls.t WHERE k = 1";

  private final TestAuthority authority = new TestAuthority();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @TempDir private Path folder;

  private Path store() {
    return folder.resolve("node.p12");
  }

  private static ClusterSpec nodes(int number) {
    return OwnNodes.two("node-tls", PORTS_FURTHER).withNodes(number, number);
  }

  private Proxy proxyBefore(LocalCluster cluster, TlsConfig tls) throws IOException {
    ClusterConfig served =
        new ClusterConfig(cluster.contactPoints(), "datacenter1", null, Duration.ofSeconds(10))
            .withTls(tls);
    return Proxy.start(ProxyConfig.of(ListenConfig.on("127.0.0.1", 0), served), meters);
  }

  private static CqlSession session(Proxy proxy) {
    return JavaDriver.open(new Target("Sluice", true, proxy.address(), "slu_"), Wire.USUAL);
  }

  private static void fill(LocalCluster cluster) {
    Target node = new Target("Cassandra", false, cluster.contactPoints().get(0), "dir_");
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      Place place = new Place(session, node, "node_tls");
      place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
      place.change("CREATE TABLE $ks.t (k int PRIMARY KEY, v text)");
      place.run("INSERT INTO $ks.t (k, v) VALUES (1, 'one')");
    }
  }

  private double failures(String cause) {
    return meters
        .get("sluice.tls.handshake.failures")
        .tags("side", "node", "cause", cause)
        .functionCounter()
        .count();
  }

  private static boolean reads(CqlSession session) {
    try {
      return session.execute(READ).all().size() == 1;
    } catch (DriverException e) {
      return false;
    }
  }

  /** Lets the node reload its certificate file and close existing connections. */
  private static void showCertificate(LocalNode node) throws Exception {
    node.closeToClients();
    try (JMXConnector jmx = node.jmx()) {
      jmx.getMBeanServerConnection()
          .invoke(
              new ObjectName("org.apache.cassandra.net:type=MessagingService"),
              "reloadSslCertificates",
              new Object[0],
              new String[0]);
    }
    node.openToClients();
  }

  @Test
  void a_node_whose_certificate_is_wrong_gets_no_request_until_it_is_right() throws Exception {
    authority.writeStore(store());
    ClusterSpec spec =
        nodes(1).withYaml("client_encryption_options", TestAuthority.encryption(store(), true));
    try (LocalCluster cluster = LocalCluster.start(spec, line -> {})) {
      fill(cluster);
      try (Proxy proxy = proxyBefore(cluster, authority.nodes(folder));
          CqlSession session = session(proxy)) {
        assertThat(reads(session)).isTrue();

        authority.writeStore(store(), TestAuthority.Kind.EXPIRED);
        isRefused(cluster, session, "expired");
        authority.writeStore(store(), TestAuthority.Kind.OTHER_HOST);
        isRefused(cluster, session, "host");
        new TestAuthority().writeStore(store());
        isRefused(cluster, session, "untrusted");

        authority.writeStore(store());
        showCertificate(cluster.node(0));
        await().atMost(PATIENCE).until(() -> reads(session));
      }
    }
  }

  private void isRefused(LocalCluster cluster, CqlSession session, String cause) throws Exception {
    double before = failures(cause);
    showCertificate(cluster.node(0));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(reads(session)).as("read from a node that is %s", cause).isFalse();
              return failures(cause) > before;
            });
  }

  /** All nodes change from no TLS to required TLS, one after another. */
  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "5.0.9"})
  @Tag("long")
  void tls_is_enabled_in_a_cluster_that_serves(String version) throws Exception {
    authority.writeStore(store());
    List<Process> restarted = new ArrayList<>();
    try (LocalCluster cluster = LocalCluster.start(nodes(2).withCassandra(version), line -> {})) {
      fill(cluster);
      try (Proxy plain = proxyBefore(cluster, TlsConfig.off(TlsConfig.Side.NODE));
          Readers readers = new Readers(plain)) {
        for (LocalNode node : cluster.nodes()) {
          restarted.add(restart(node, TestAuthority.encryption(store(), true), null));
        }
        readers.readOnWithoutAnError();
      }
      try (Proxy encrypted = proxyBefore(cluster, authority.nodes(folder));
          Readers readers = new Readers(encrypted)) {
        for (int i = 0; i < cluster.nodes().size(); i++) {
          restarted.add(
              restart(cluster.node(i), TestAuthority.encryption(store(), false), restarted.get(i)));
          readers.readOnWithoutAnError();
        }
        try (CqlSession session = session(encrypted)) {
          // A node that has just started may not know for a moment that its peer is alive.
          await().atMost(PATIENCE).until(() -> reads(session));
          assertThat(session.execute("SELECT k FROM node_tls.t").all()).hasSize(1);
        }
      }
    } finally {
      // The next version starts on the same ports.
      for (Process each : restarted) {
        each.destroyForcibly().waitFor();
      }
    }
  }

  /** Stops a node gracefully, and starts it with these {@code client_encryption_options}. */
  private static Process restart(
      LocalNode node, Map<String, Object> encryption, @Nullable Process before) throws Exception {
    if (before == null) {
      node.stop();
    } else {
      before.destroy();
      before.waitFor();
    }
    Path yaml = node.dir().resolve("cassandra.yaml");
    List<String> lines = new ArrayList<>(Files.readAllLines(yaml));
    lines.removeIf(line -> line.startsWith("client_encryption_options"));
    StringBuilder options = new StringBuilder("client_encryption_options: {");
    encryption.forEach((key, value) -> options.append(key + ": '" + value + "', "));
    lines.add(options.append("}").toString().replace("'true'", "true").replace("'false'", "false"));
    Files.write(yaml, lines);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + node.dir().resolve("jvm.args"))
            .directory(node.dir().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(node.log().toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    await().atMost(PATIENCE).until(() -> listens(node.address()));
    return process;
  }

  private static boolean listens(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Clients that read all the time at one replica. */
  private static final class Readers implements AutoCloseable {
    private final CqlSession session;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "reading");

    Readers(Proxy proxy) {
      session = session(proxy);
      thread.start();
    }

    private void run() {
      while (!ended.get()) {
        try {
          session.execute(
              SimpleStatement.newInstance(READ)
                  .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE));
          read.incrementAndGet();
        } catch (DriverException e) {
          failed.incrementAndGet();
          System.out.println("node TLS: " + e);
        }
        Waiting.aMoment(20);
      }
    }

    /** Checks that reads continue at the other node when one shuts down. */
    void readOnWithoutAnError() {
      int now = read.get();
      await().atMost(PATIENCE).until(() -> read.get() > now + 20);
      assertThat(failed.get()).as("reads that failed, of %s", read).isZero();
    }

    @Override
    public void close() {
      ended.set(true);
      await().atMost(PATIENCE).until(() -> !thread.isAlive());
      session.close();
    }
  }
}
