package io.sluice.it;

import static io.sluice.it.Clients.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.tls.TlsConfig;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drivers connect to Sluice with TLS. They read a row if the certificate is right, and none if it
 * is expired, from another authority or for another host.
 */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsDriversIT {

  private static final String READ = "read:";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestAuthority authority = new TestAuthority();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path trusted;

  @SuppressWarnings("NullAway.Init")
  private Path strange;

  @SuppressWarnings("NullAway.Init")
  private Served good;

  @SuppressWarnings("NullAway.Init")
  private Served expired;

  @SuppressWarnings("NullAway.Init")
  private Served otherHost;

  /** Runs a driver's program, and returns its output. */
  private interface Driver {
    String read(Target from, Path authority) throws Exception;
  }

  /** A proxy with one certificate. */
  private record Served(Proxy proxy, SimpleMeterRegistry meters) implements AutoCloseable {
    /** Returns the target by its address, because gocql compares hosts. */
    Target target() throws UnknownHostException {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      InetSocketAddress address = new InetSocketAddress(loopback, proxy.address().getPort());
      return new Target("Sluice", true, address, "tls_");
    }

    double handshakes() {
      return meters.get("sluice.tls.handshakes").tag("side", "client").functionCounter().count();
    }

    /** Returns the causes of failed handshakes, each as often as it was counted. */
    List<String> failures() {
      List<String> causes = new ArrayList<>();
      for (FunctionCounter each :
          meters.get("sluice.tls.handshake.failures").tag("side", "client").functionCounters()) {
        String cause = each.getId().getTag("cause");
        causes.addAll(Collections.nCopies((int) each.count(), String.valueOf(cause)));
      }
      return causes;
    }

    @Override
    public void close() {
      proxy.close();
    }
  }

  @BeforeAll
  void start() throws IOException {
    Stage stage = Stage.plain();
    stage.needsProxy();
    trusted = authority.writeAuthority(folder.resolve("ca.crt"));
    strange = new TestAuthority().writeAuthority(folder.resolve("strange.crt"));
    good = serve(stage, TestAuthority.Kind.GOOD);
    expired = serve(stage, TestAuthority.Kind.EXPIRED);
    otherHost = serve(stage, TestAuthority.Kind.OTHER_HOST);
  }

  private Served serve(Stage stage, TestAuthority.Kind kind) throws IOException {
    Path files = Files.createDirectories(folder.resolve(kind.name()));
    TlsConfig tls = TestAuthority.clients(TlsConfig.Mode.REQUIRED, authority.writePem(files, kind));
    ClusterConfig cluster =
        new ClusterConfig(
            List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    ListenConfig listen = ListenConfig.on("127.0.0.1", 0).withTls(tls);
    return new Served(Proxy.start(ProxyConfig.of(listen, cluster), meters), meters);
  }

  @AfterAll
  void end() {
    for (Served each : new Served[] {good, expired, otherHost}) {
      if (each != null) {
        each.close();
      }
    }
  }

  private void reads_only_with_the_right_certificate(Driver driver) throws Exception {
    reads(driver);
    isRefused(driver, good, strange);
    isRefused(driver, expired, trusted);
    isRefused(driver, otherHost, trusted);
  }

  private void reads(Driver driver) throws Exception {
    double before = good.handshakes();
    assertThat(driver.read(good.target(), trusted)).contains(READ).contains("local");
    assertThat(good.handshakes()).isGreaterThan(before);
  }

  private static void isRefused(Driver driver, Served by, Path trusted) throws Exception {
    int before = by.failures().size();
    assertThat(driver.read(by.target(), trusted)).doesNotContain(READ);
    await().atMost(PATIENCE).until(() -> by.failures().size() > before);
    System.out.println("TLS causes: " + by.failures());
  }

  private static Driver program(Path home, Object... command) {
    return (from, authority) -> {
      List<String> all = command(command);
      all.addAll(List.of(from.host(), String.valueOf(from.port())));
      all.add(authority.toString());
      Clients.Ended ended = Clients.run(all, home);
      return ended.output() + ended.errors();
    };
  }

  private static Driver comparing(Path home, Object... command) {
    return (from, authority) -> {
      List<String> all = command(command);
      all.addAll(List.of(from.host(), String.valueOf(from.port()), "none", authority.toString()));
      Clients.Ended ended = Clients.run(all, home);
      return ended.output() + ended.errors();
    };
  }

  @Test
  void the_java_driver() throws Exception {
    reads_only_with_the_right_certificate(
        (from, ca) -> {
          ProgrammaticSslEngineFactory verified =
              new ProgrammaticSslEngineFactory(TestAuthority.trusting(ca), null, true);
          try (CqlSession session =
              JavaDriver.builder(from, Wire.USUAL, false).withSslEngineFactory(verified).build()) {
            return READ + session.execute("SELECT key FROM system.local").one().getString(0);
          } catch (AllNodesFailedException e) {
            return e.getAllErrors().toString();
          }
        });
  }

  @Test
  void the_python_driver() throws Exception {
    Path home = Clients.ready("python");
    reads_only_with_the_right_certificate(
        comparing(home, home.resolve("bin/python"), home.resolve("client.py")));
  }

  @Test
  void gocql() throws Exception {
    Path home = Clients.ready("go");
    reads_only_with_the_right_certificate(comparing(home, home.resolve("client")));
  }

  @Test
  void the_node_driver() throws Exception {
    Path home = Clients.ready("node");
    reads_only_with_the_right_certificate(comparing(home, "node", home.resolve("client.js")));
  }

  /**
   * With this version of the Python driver, cqlsh checks no certificate, not even that of a node.
   */
  @Test
  void cqlsh() throws Exception {
    Path home = Clients.ready("python");
    Driver driver =
        (from, ca) -> {
          String settings = "[ssl]\ncertfile = %s\nvalidate = true\n".formatted(ca);
          Path file = Files.writeString(folder.resolve("cqlshrc"), settings);
          List<String> all =
              command(
                  home.resolve("bin/python"),
                  home.resolve("bin/cqlsh"),
                  "--ssl",
                  "--cqlshrc",
                  file,
                  "-e",
                  "SELECT key FROM system.local",
                  from.host(),
                  from.port());
          Clients.Ended ended = Clients.run(all, home);
          return ended.status() == 0 ? READ + ended.output() : ended.errors();
        };
    reads(driver);
  }

  /** Uses the binding for Python, which does not enable the check of host names. */
  @Test
  @Tag("long")
  void the_cpp_driver() throws Exception {
    Path home = Clients.ready("cpp");
    Driver driver = program(home, home.resolve("bin/python"), home.resolve("client.py"));
    reads(driver);
    isRefused(driver, good, strange);
    isRefused(driver, expired, trusted);
  }

  @Test
  @Tag("long")
  void the_rust_driver() throws Exception {
    Path home = Clients.ready("rust");
    reads_only_with_the_right_certificate(program(home, home.resolve("client")));
  }

  @Test
  @Tag("long")
  void version_3_of_the_java_driver() throws Exception {
    Path home = Clients.ready("java3");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String jars = Files.readString(home.resolve("classpath.txt")).strip();
    reads_only_with_the_right_certificate(
        program(home, java, "-cp", jars, home.resolve("Client.java")));
  }
}
