package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The whole JVM process: signals and exit codes. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ProcessTest {

  private static final String NO_EPOLL = "-Dio.netty.transport.noNative=true";
  private static final byte[] OPTIONS = {4, 0, 0, 0, 5, 0, 0, 0, 0};

  /** The header of a STARTUP of 8,000 bytes and some of these, less than a client may hold. */
  private static final byte[] HALF_A_STARTUP =
      Arrays.copyOf(new byte[] {4, 0, 0, 1, 1, 0, 0, 0x1F, 0x40}, 700);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private final List<String> lines = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private Process process;

  @SuppressWarnings("NullAway.Init")
  private BufferedReader output;

  @AfterEach
  void end() {
    // A test whose assumption is not met has started none.
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Test
  void the_first_signal_drains_and_exits_with_0() throws Exception {
    start("ioThreads: 0");
    readUntil(line -> line.contains("Clients connect to "));

    signal();

    assertThat(process.waitFor()).isZero();
    readUntil(line -> line.contains("All requests were answered"));
  }

  @Test
  void the_second_signal_ends_it_at_once() throws Exception {
    start("ioThreads: 2");
    readUntil(line -> line.contains("Clients connect to"));

    signal();
    readUntil(line -> line.contains("Stopping"));
    signal();

    assertThat(process.waitFor()).isEqualTo(143);
  }

  /** Reading blocks as it does in the lookup of a name, here because nobody writes to the pipe. */
  @Test
  void a_signal_while_the_file_is_read_exits_with_0() throws Exception {
    Path file = directory.resolve("config.yml");
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    process =
        SpawnedCommand.builder(FakeProxy.class, "server", file.toString())
            .redirectErrorStream(true)
            .start();
    // Returns when the process has opened the pipe.
    OutputStream pipe =
        assertTimeoutPreemptively(Duration.ofSeconds(50), () -> Files.newOutputStream(file));
    try {
      signal();
      assertThat(process.waitFor()).isZero();
    } finally {
      pipe.close();
    }
  }

  @Test
  void sighup_reads_the_file_again_and_ends_nothing() throws Exception {
    assumeThat(SpawnedCommand.getsSignal(1)).as("processes started here get HUP").isTrue();
    start("ioThreads: 2");
    readUntil(line -> line.contains("Clients connect to "));

    Path file = directory.resolve("config.yml");
    String good = Files.readString(file);
    Files.writeString(file, good + "\nscheduling: {mode: observe}\n");
    hangUp();
    readUntil(line -> line.contains("(SIGHUP): scheduling.mode: ENFORCE -> observe"));

    Files.writeString(file, good + "\nscheduling: {mode: obs\n");
    hangUp();
    readUntil(line -> line.contains("Reload refused") && line.contains("not YAML"));
    assertThat(process.isAlive()).isTrue();
  }

  private void hangUp() throws Exception {
    String[] kill = {"kill", "-HUP", String.valueOf(process.pid())};
    assertThat(new ProcessBuilder(kill).start().waitFor()).isZero();
  }

  @Test
  void a_start_that_fails_is_one_line_and_exits_with_1() throws Exception {
    start("ioThreads: 1");

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(output.lines()).containsExactly("sluice: cluster.contactPoints: nobody there");
  }

  /** As if the folder of temporary files were mounted without execution. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void libraries_that_cannot_be_loaded_are_logged_and_snappy_is_not_offered() throws Exception {
    int port = FreePorts.next();
    String noFolder = Files.createFile(directory.resolve("file")).toString();
    startWaiting("port: " + port, NO_EPOLL, "-Dorg.xerial.snappy.tempdir=" + noFolder);
    readUntil(
        line ->
            line.contains("These libraries cannot be loaded: epoll (Native transport was explicit")
                && line.contains("), Snappy (")
                && line.contains("-Djava.io.tmpdir"));
    readUntil(line -> line.contains("127.0.0.1:1"));

    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.getOutputStream().write(OPTIONS);
      DataInputStream in = new DataInputStream(client.getInputStream());
      in.skipNBytes(5);
      String supported = new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
      assertThat(supported).contains("lz4").doesNotContain("snappy");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_handover_without_epoll_fails_with_the_reason() throws Exception {
    startWaiting("port: 0, handover: " + directory.resolve("s"), NO_EPOLL);
    assertThat(process.waitFor()).isEqualTo(1);
    readUntil(
        line ->
            line.startsWith("sluice: cql.handover needs epoll of Linux (Native transport was")
                && line.endsWith("; leave it out"));
  }

  /** The start waits for its cluster, with memory for few clients, and no client logs in. */
  @Test
  void missing_memory_outside_of_the_heap_ends_it_with_one_line() throws Exception {
    int port = FreePorts.next();
    startWaiting(
        "handshakeTimeout: 1m, connectionsPerSecond: 0, port: " + port,
        "-XX:MaxDirectMemorySize=1m");
    readUntil(line -> line.contains("contactPoints") || line.contains("127.0.0.1:1"));

    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 3_000 && process.isAlive(); i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(client);
        client.getOutputStream().write(HALF_A_STARTUP);
      }
    } catch (IOException ended) {
      // The process has ended before all clients were connected.
    } finally {
      assertThat(process.waitFor()).isEqualTo(3);
      for (Socket client : clients) {
        client.close();
      }
    }
    readUntil(line -> line.startsWith("Terminating due to ") && line.contains("direct"));
  }

  /** Without a PATH, so that it can run no command. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void systemd_is_notified_by_the_process_itself() throws Exception {
    String socket = directory.resolve("notify").toString();
    try (NotificationReceiver systemd = new NotificationReceiver(socket)) {
      start("ioThreads: 0", Map.of("NOTIFY_SOCKET", socket, "PATH", directory.toString()));
      assertThat(systemd.next()).startsWith("READY=1\nSTATUS=Clients connect to ");

      readUntil(line -> line.contains("Clients connect to "));
      signal();
      assertThat(systemd.next()).startsWith("STOPPING=1\n");
      assertThat(process.waitFor()).isZero();
    }
  }

  /** Starts a proxy whose cluster cannot be reached. It ends within the time of a test. */
  private void startWaiting(String cql, String... jvmArguments) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config.yml"),
            "cluster: {contactPoints: ['127.0.0.1:1'], localDatacenter: dc1, startTimeout: 50s}\n"
                + "admin: {port: 0}\n"
                + "cql: {host: 127.0.0.1, "
                + cql
                + "}\n");
    ProcessBuilder server =
        SpawnedCommand.builder(SluiceServer.class, "server", file.toString())
            .redirectErrorStream(true);
    server.command().addAll(1, List.of(jvmArguments));
    process = server.start();
    output = process.inputReader();
  }

  private void start(String more) throws IOException {
    start(more, Map.of());
  }

  private void start(String more, Map<String, String> environment) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config.yml"),
            "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\n"
                + "admin: {port: 0}\n"
                + "drainTimeout: 10m\n"
                + more);
    ProcessBuilder server =
        SpawnedCommand.builder(FakeProxy.class, "server", file.toString())
            .redirectErrorStream(true);
    server.environment().putAll(environment);
    process = server.start();
    output = process.inputReader();
  }

  /** Sends SIGTERM. Unlike {@link Process#destroy}, this leaves the output open. */
  private void signal() {
    assertThat(process.toHandle().destroy()).isTrue();
  }

  private void readUntil(Predicate<String> found) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (found.test(line)) {
        return;
      }
    }
    throw new AssertionError("ended with " + process.exitValue() + ": " + lines);
  }
}
