package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.SpawnedCommand;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java driver connects to Sluice with TLS. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class TlsIT {

  private static final String QUERY = "SELECT release_version FROM system.local";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int RELOADS = 50;

  private final TestAuthority authority = new TestAuthority();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path folder;

  private Proxy start(TlsConfig.Mode mode) throws IOException {
    Stage stage = Stage.plain();
    stage.needsProxy();
    TlsKeys keys = authority.writePem(folder);
    TlsConfig tls = TestAuthority.clients(mode, keys);
    ClusterConfig cluster =
        new ClusterConfig(
            List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    return Proxy.start(
        ProxyConfig.of(ListenConfig.on("127.0.0.1", 0).withTls(tls), cluster), registry);
  }

  private static CqlSession encrypted(Proxy proxy, TestAuthority trusted) {
    return JavaDriver.builder(target(proxy), Wire.USUAL, false)
        .withSslContext(trusted.client())
        .build();
  }

  private static Target target(Proxy proxy) {
    return new Target("Sluice", true, proxy.address(), "slu_");
  }

  private double count(String name, String tag, String value) {
    return registry.get(name).tags("side", "client", tag, value).functionCounter().count();
  }

  @Test
  void a_port_that_requires_tls_takes_nothing_else() throws Exception {
    try (Proxy proxy = start(TlsConfig.Mode.REQUIRED)) {
      try (CqlSession session = encrypted(proxy, authority)) {
        assertThat(session.execute(QUERY).all()).hasSize(1);
      }
      assertThatThrownBy(() -> JavaDriver.open(target(proxy), Wire.USUAL).close())
          .isInstanceOf(AllNodesFailedException.class);
      assertThat(count("sluice.tls.handshake.failures", "cause", "plain")).isPositive();

      assertThatThrownBy(() -> encrypted(proxy, new TestAuthority()).close())
          .isInstanceOf(AllNodesFailedException.class);
      await()
          .atMost(PATIENCE)
          .until(() -> count("sluice.tls.handshake.failures", "cause", "refused") > 0);
    }
  }

  @Test
  void a_command_reaches_that_port_with_the_right_authority_only() throws Exception {
    try (Proxy proxy = start(TlsConfig.Mode.REQUIRED)) {
      String right = authority.writeAuthority(folder.resolve("ca.crt")).toString();
      String wrong = new TestAuthority().writeAuthority(folder.resolve("other.crt")).toString();

      assertThat(top(proxy, "--trust", right).out()).startsWith("Sluice at 127.0.0.1:");
      assertThat(top(proxy, "--trust", right, "--server-name", "localhost").exitCode()).isZero();
      assertThat(top(proxy, "--trust", wrong).exitCode()).isEqualTo(1);
      assertThat(top(proxy, "--trust", right, "--server-name", "other").exitCode()).isEqualTo(1);
      assertThat(top(proxy).exitCode()).isEqualTo(1);
    }
  }

  private SpawnedCommand top(Proxy proxy, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("top", "--once", "127.0.0.1:" + proxy.address().getPort()));
    arguments.addAll(List.of(options));
    return SpawnedCommand.run(folder, SluiceServer.class, arguments.toArray(String[]::new));
  }

  @Test
  void one_port_takes_both_and_new_certificates_while_it_serves() throws Exception {
    try (Proxy proxy = start(TlsConfig.Mode.OPTIONAL);
        CqlSession plain = JavaDriver.open(target(proxy), Wire.USUAL);
        CqlSession before = encrypted(proxy, authority)) {
      AtomicBoolean enough = new AtomicBoolean();
      AtomicInteger answered = new AtomicInteger();
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  before.execute(QUERY);
                  plain.execute(QUERY);
                  answered.incrementAndGet();
                }
              });

      TestAuthority next = new TestAuthority();
      next.writePem(folder);
      await().atMost(PATIENCE).until(() -> count("sluice.tls.reloads", "outcome", "loaded") > 0);
      try (CqlSession after = encrypted(proxy, next)) {
        assertThat(after.execute(QUERY).all()).hasSize(1);
      }
      assertThatThrownBy(() -> encrypted(proxy, authority).close())
          .isInstanceOf(AllNodesFailedException.class);

      int untilNow = answered.get();
      await().atMost(PATIENCE).until(() -> answered.get() > untilNow || load.isDone());
      enough.set(true);
      load.get();
    }
  }

  /** The authority does not change, so clients trust each certificate at any time. */
  @Test
  @Tag("long")
  void fifty_new_certificates_under_load_cost_no_request_and_no_connection() throws Exception {
    try (Proxy proxy = start(TlsConfig.Mode.REQUIRED);
        CqlSession stays = encrypted(proxy, authority)) {
      AtomicBoolean enough = new AtomicBoolean();
      AtomicInteger answered = new AtomicInteger();
      AtomicInteger came = new AtomicInteger();
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  stays.execute(QUERY);
                  answered.incrementAndGet();
                }
              });
      CompletableFuture<Void> clients =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  try (CqlSession comes = encrypted(proxy, authority)) {
                    comes.execute(QUERY);
                    came.incrementAndGet();
                  }
                }
              });
      for (int reload = 1; reload <= RELOADS; reload++) {
        authority.writePem(folder, TestAuthority.Kind.GOOD);
        int expected = reload;
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    count("sluice.tls.reloads", "outcome", "loaded") >= expected
                        || load.isDone()
                        || clients.isDone());
      }
      enough.set(true);
      load.get();
      clients.get();
      System.out.printf(
          "TLS: %d reloads, %s requests of one client, %s others came and went%n",
          RELOADS, answered, came);
      assertThat(came.get()).isGreaterThan(RELOADS);
      for (String cause : List.of("refused", "protocol", "closed", "other")) {
        assertThat(count("sluice.tls.handshake.failures", "cause", cause)).as(cause).isZero();
      }
    }
  }
}
