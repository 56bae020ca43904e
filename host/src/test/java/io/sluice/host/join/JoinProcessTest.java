package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.host.HostCommand;
import io.sluice.host.kernel.Folder;
import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code host join} as a process on a copied tree, with a JVM that has a node's bean. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class JoinProcessTest {
  private static final String EXPIRE = "/proc/sys/vm/dirty_expire_centisecs";
  private static final String SCHEDULER = "/sys/block/sda/queue/scheduler";

  @TempDir private Path temp = Path.of("");
  private final List<Process> processes = new ArrayList<>();
  private Folder folder = new Folder(temp);
  private Path mode = temp;
  private Process node = null;
  private Map<String, String> before = Map.of();

  @BeforeEach
  void prepare() throws IOException {
    folder = new Folder(temp.resolve("tree")).kernel().disk("sda", "[none] bfq ", true, 64);
    // In a copied tree a new scheduler brings no tunables of its own.
    folder.file("/sys/block/sda/queue/iosched/low_latency", "1\n");
    before = folder.snapshot();
    mode = Files.writeString(temp.resolve("mode"), "JOINING");
    node = start(SpawnedCommand.builder(FakeNode.class, mode.toString()));
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Path log = temp.resolve("log" + processes.size());
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    processes.add(process);
    return process;
  }

  private Process join() throws IOException {
    return join(node);
  }

  private Process join(Process node) throws IOException {
    Process join =
        start(
            SpawnedCommand.builder(
                HostCommand.class,
                "join",
                "--pid",
                Long.toString(node.pid()),
                "--scheduler",
                "rotational=bfq",
                "--root",
                folder.root().toString()));
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> folder.text(SCHEDULER).equals("none [bfq] \n"));
    assertThat(folder.text(EXPIRE)).isEqualTo("12000\n");
    return join;
  }

  private static int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void settings_hold_until_the_node_is_normal() throws Exception {
    Process join = join();
    Files.writeString(mode, "NORMAL");
    assertThat(exitCode(join)).isZero();
    assertThat(folder.snapshot()).isEqualTo(before);
    assertThat(Files.readString(temp.resolve("log1"))).contains("NORMAL, it has joined");
  }

  @Test
  void settings_are_restored_when_the_node_ends() throws Exception {
    Process join = join();
    node.destroyForcibly();
    assertThat(exitCode(join)).isEqualTo(1);
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  /** An attach begins with a signal that ends other programs, and a JVM that has just begun. */
  @Test
  void a_process_that_is_no_jvm_lives_on() throws Exception {
    Process other = start(new ProcessBuilder("sleep", "60"));
    Process join = join(other);
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> Files.readString(temp.resolve("log2")).contains("no JMX: "));
    assertThat(Files.readString(temp.resolve("log2"))).contains("is no JVM, or has only begun");
    assertThat(other.isAlive()).isTrue();
    other.destroyForcibly();
    assertThat(exitCode(join)).isEqualTo(1);
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"INT, 2", "TERM, 15"})
  void settings_are_restored_at_a_signal(String signal, int number) throws Exception {
    assumeThat(SpawnedCommand.getsSignal(number)).as("processes started here get it").isTrue();
    Process join = join();
    new ProcessBuilder("kill", "-" + signal, Long.toString(join.pid())).start().waitFor();
    assertThat(exitCode(join)).isGreaterThan(128);
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void the_next_run_restores_settings_after_a_kill() throws Exception {
    Process join = join();
    join.destroyForcibly();
    assertThat(exitCode(join)).isEqualTo(137);
    assertThat(folder.text(EXPIRE)).isEqualTo("12000\n");
    SpawnedCommand undo =
        SpawnedCommand.run(temp, HostCommand.class, "undo", "--root", folder.root().toString());
    assertThat(undo.out()).contains("a join was interrupted").contains(EXPIRE + ": 12000 -> 3000");
    assertThat(undo.exitCode()).isZero();
    assertThat(folder.snapshot()).isEqualTo(before);
  }
}
