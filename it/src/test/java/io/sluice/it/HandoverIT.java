package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second process takes over the port of the first. Meanwhile clients connect, send one request
 * and close, and a driver reads through this proxy and another one. No client gets an error, and
 * the replaced process exits with 0.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class HandoverIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 4;
  private static final String READ = "SELECT keyspace_name FROM system_schema.keyspaces";

  @TempDir private Path temp = Path.of("");

  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;
  private final int otherPort;
  private final List<Process> processes = new ArrayList<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger read = new AtomicInteger();
  private final AtomicBoolean ending = new AtomicBoolean();

  HandoverIT() throws IOException {
    port = FreePorts.next();
    otherPort = FreePorts.next();
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void a_process_that_is_replaced_by_the_next_one_costs_no_client_an_error() throws Exception {
    start("other", otherPort, port);
    Process replaced = start("one", port, otherPort);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread client = new Thread(this::connectAgainAndAgain, "connects-" + i);
      clients.add(client);
      client.start();
    }
    try (CqlSession session = throughBoth()) {
      for (int i = 0; i < CLIENTS; i++) {
        readOn(session);
      }
      start("two", port, otherPort);
      assertThat(replaced.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as("has ended").isTrue();
      assertThat(replaced.exitValue()).as("exit code").isZero();
      int before = connected.get();
      int readBefore = read.get();
      await().atMost(LONG).until(() -> connected.get() > before + 50);
      await().atMost(LONG).until(() -> read.get() > readBefore + 50);
      ending.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
    assertThat(errors).as("of %d connections, %d reads", connected.get(), read.get()).isEmpty();
  }

  /** Starts a proxy, and waits until it serves. */
  private Process start(String name, int own, int peer) throws Exception {
    int admin = FreePorts.next();
    InetSocketAddress node = Stage.plain().direct().address();
    Path config = temp.resolve(name + ".yml");
    Files.writeString(
        config,
        """
        cql:
          {host: 127.0.0.1, port: %d, advertise: "127.0.0.1:%d", peers: ["127.0.0.1:%d"], handover: "%s"}
        cluster: {contactPoints: ["%s:%d"], localDatacenter: datacenter1}
        admin: {port: %d}
        """
            .formatted(
                own,
                own,
                peer,
                temp.resolve(own + ".sock"),
                node.getHostString(),
                node.getPort(),
                admin));
    Process process =
        SpawnedCommand.builder(SluiceServer.class, "server", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve(name + ".log").toFile())
            .start();
    processes.add(process);
    URI ready = URI.create("http://127.0.0.1:" + admin + "/readyz");
    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(process.isAlive())
                  .as("alive: %s", Files.readString(temp.resolve(name + ".log")))
                  .isTrue();
              return isReady(ready);
            });
    return process;
  }

  private boolean isReady(URI page) throws InterruptedException {
    try {
      return http.send(
                  HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(2)).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private void connectAgainAndAgain() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    byte[] query = Bytes.frame(4, 0, 1, Bytes.QUERY, Bytes.query(4, READ));
    while (!ending.get()) {
      try (RawConnection connection = RawConnection.ready(address, 4)) {
        connection.send(query);
        RawFrame answer = connection.read();
        if (answer == null || answer.opcode() != RawFrame.RESULT) {
          errors.add("connection " + connected.get() + ": " + answer);
        }
      } catch (IOException e) {
        errors.add("connection " + connected.get() + ": " + e);
      }
      connected.incrementAndGet();
    }
  }

  private CqlSession throughBoth() {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build())
        .build();
  }

  private void readOn(CqlSession session) {
    session
        .executeAsync(SimpleStatement.newInstance(READ))
        .whenComplete(
            (rows, error) -> {
              if (error != null) {
                errors.add("driver: " + error);
              }
              read.incrementAndGet();
              if (!ending.get()) {
                readOn(session);
              }
            });
  }
}
