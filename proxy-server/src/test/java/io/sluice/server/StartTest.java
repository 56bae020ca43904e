package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real proxy as a process, in front of a cluster that is missing or is another one. */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
class StartTest {
  private static final UUID HOST_ID = new UUID(7, 7);
  private static final Duration LIMIT = Duration.ofSeconds(100);

  /** STARTUP with CQL_VERSION 3.0.0, on stream 1. */
  private static final String STARTUP =
      "0400000101000000160001000b43514c5f56455253494f4e0005332e302e30";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private final HttpClient http = HttpClient.newHttpClient();
  private final int cql = FreePorts.next();
  private final int admin = FreePorts.next();
  private final int node = FreePorts.next();

  @SuppressWarnings("NullAway.Init")
  private Process server;

  StartTest() throws IOException {}

  @AfterEach
  void end() {
    if (server != null) {
      server.destroyForcibly();
    }
  }

  @Test
  void the_start_waits_for_a_contact_point_that_is_down_and_names_it() throws Exception {
    start("dc1", "");
    await().atMost(LIMIT).until(() -> readyz().contains("not connected"));
    assertThat(readyz())
        .isEqualTo(
            "503 not connected to the cluster yet: cluster.contactPoints: none can be reached:"
                + " 127.0.0.1:%d (the connection is refused: nothing listens there)\n"
                    .formatted(node));
    CompletableFuture<String> early = CompletableFuture.supplyAsync(this::startup);
    await().atMost(LIMIT).until(() -> said().contains("Waiting for the cluster: cluster.contact"));

    try (FakeCassandra late = new FakeCassandra(HOST_ID, "dc1", node)) {
      assertThat(late.address().getPort()).isEqualTo(node);
      await().atMost(LIMIT).until(() -> readyz().equals("200 ready\n"));
      assertThat(early.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("a client that came before the cluster")
          .isEqualTo("READY");
      assertThat(startup()).isEqualTo("READY");
      await().atMost(LIMIT).until(() -> said().contains("Clients connect to"));
    }
    server.destroy();
    assertThat(server.waitFor()).isZero();
    assertThat(said()).doesNotContain("null", "\tat ");
  }

  @Test
  void a_signal_ends_the_wait_with_exit_code_0() throws Exception {
    start("dc1", "");
    await().atMost(LIMIT).until(() -> readyz().contains("not connected"));
    server.destroy();
    assertThat(server.waitFor()).isZero();
  }

  @Test
  void a_start_without_retries_fails_with_the_reason_on_one_line() throws Exception {
    start("dc1", ", startTimeout: 0s");
    assertThat(server.waitFor()).isEqualTo(1);
    assertThat(said())
        .isEqualTo(
            "sluice: cluster.contactPoints: none can be reached: 127.0.0.1:%d".formatted(node)
                + " (the connection is refused: nothing listens there)\n");
  }

  @Test
  void a_cql_port_in_use_is_reported_although_no_node_is_up() throws Exception {
    try (ServerSocket taken = new ServerSocket(cql)) {
      start("dc1", "");
      assertThat(server.waitFor()).isEqualTo(1);
      assertThat(said())
          .startsWith("sluice: Cannot listen for CQL on 127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  void a_wrong_data_centre_is_reported_as_by_check() throws Exception {
    try (FakeCassandra other = new FakeCassandra(HOST_ID, "DC1", node)) {
      String told =
          "sluice: cluster.localDatacenter is dc1, but the cluster has DC1; did you mean DC1?\n";
      Path file = start("dc1", "");
      assertThat(server.waitFor()).isEqualTo(1);
      assertThat(said()).isEqualTo(told);

      assertThat(
              SpawnedCommand.run(
                  directory, SluiceServer.class, "check", "--connect", file.toString()))
          .isEqualTo(new SpawnedCommand(1, "", told));
      assertThat(other.address().getPort()).isEqualTo(node);
    }
  }

  @Test
  void check_connect_describes_the_cluster() throws Exception {
    try (FakeCassandra cluster = new FakeCassandra(HOST_ID, "dc1", node)) {
      SpawnedCommand check =
          SpawnedCommand.run(
              directory, SluiceServer.class, "check", "--connect", file("dc1", "").toString());
      assertThat(check.err()).isEmpty();
      assertThat(check.out())
          .contains("found       Fake, Cassandra 5.0.9, 1 node")
          .contains("127.0.0.1:" + cluster.address().getPort())
          .contains("in dc1, rack rack1");
    }
  }

  @Test
  void check_connect_distinguishes_a_silent_port_from_one_without_cql() throws Exception {
    try (ServerSocket silent = new ServerSocket(node, 50, InetAddress.getLoopbackAddress())) {
      assertThat(connectRefused())
          .endsWith("(it accepts connections, but does not answer CQL" + " within 2 s)\n");
      assertThat(silent.isBound()).isTrue();
    }
    try (ServerSocket web = new ServerSocket(node, 50, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answerHttp(web));
      answering.start();
      assertThat(connectRefused()).endsWith("(the server there does not speak CQL)\n");
      answering.join();
    }
  }

  private String connectRefused() throws Exception {
    SpawnedCommand check =
        SpawnedCommand.run(
            directory, SluiceServer.class, "check", "--connect", file("dc1", "").toString());
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.err())
        .startsWith("sluice: cluster.contactPoints: none can be reached: 127.0.0.1:" + node);
    return check.err();
  }

  private static void answerHttp(ServerSocket web) {
    try (Socket client = web.accept()) {
      client.getInputStream().read();
      client
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path start(String datacenter, String more) throws IOException {
    Path file = file(datacenter, more);
    server =
        SpawnedCommand.builder(SluiceServer.class, "server", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    return file;
  }

  private Path file(String datacenter, String more) throws IOException {
    return Files.writeString(
        directory.resolve("config.yml"),
        """
        cql: {host: 127.0.0.1, port: %d, handshakeTimeout: %ss}
        cluster: {contactPoints: ["127.0.0.1:%d"], localDatacenter: %s%s}
        admin: {port: %d}
        """
            .formatted(cql, LIMIT.toSeconds(), node, datacenter, more, admin));
  }

  private String said() throws IOException {
    return Files.readString(directory.resolve("server.log"));
  }

  /** Returns the status and the text of the page; empty while the port is closed. */
  private String readyz() throws InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + admin + "/readyz");
    try {
      HttpResponse<String> answer =
          http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the response to a client's STARTUP. */
  private String startup() {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), cql)) {
      client.getOutputStream().write(HexFormat.of().parseHex(STARTUP));
      DataInputStream in = new DataInputStream(client.getInputStream());
      in.skipNBytes(4);
      int opcode = in.readUnsignedByte();
      in.readInt();
      return opcode == 0
          ? "ERROR " + Integer.toHexString(in.readInt()) + " " + in.readUTF()
          : opcode == 2 ? "READY" : "opcode " + opcode;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
