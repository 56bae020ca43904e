package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A whole JVM: signals and exit codes. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ProcessTest {

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
    process.destroyForcibly();
  }

  @Test
  void the_first_signal_drains_and_exits_with_0() throws Exception {
    start("ioThreads: 0");
    readUntil(line -> line.contains("Clients connect to "));

    signal();

    assertThat(process.waitFor()).isZero();
    readUntil(line -> line.contains("Everything was answered"));
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

  @Test
  void a_start_that_fails_is_one_line_and_exits_with_1() throws Exception {
    start("ioThreads: 1");

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(output.lines()).containsExactly("sluice: cluster.contactPoints: nobody there");
  }

  private void start(String more) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config.yml"),
            "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\n"
                + "admin: {port: 0}\n"
                + "drainTimeout: 10m\n"
                + more);
    process =
        SpawnedCommand.builder(FakeProxy.class, "server", file.toString())
            .redirectErrorStream(true)
            .start();
    output = process.inputReader();
  }

  /** SIGTERM; unlike {@link Process#destroy} it leaves the output open. */
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
