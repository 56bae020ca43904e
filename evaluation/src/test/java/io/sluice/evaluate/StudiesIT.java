package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.testkit.SpawnedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small runs of the studies of the host on real nodes, without the parts that need root if the user
 * is not root. They need the node agent: {@code mvn -pl node-agent,evaluation -am verify -Plong
 * -Dit.test=StudiesIT -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
@Tag("long")
class StudiesIT {
  private static final int PORT = Integer.getInteger("sluice.it.port", 26_042) + 60;
  private static final int STORAGE_PORT = Integer.getInteger("sluice.it.storagePort", 26_500) + 60;
  private static final long LIMIT_MINUTES = 8;
  private static final Path AGENT =
      Path.of(System.getProperty("sluice.agent.jar", "../node-agent/target/sluice-node-agent.jar"))
          .toAbsolutePath();

  @TempDir private Path temp = Path.of("");

  @BeforeAll
  static void agentIsBuilt() {
    assumeThat(AGENT).exists();
  }

  private String report(String study, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                study,
                "--rounds=1",
                "--agent=" + AGENT,
                "--dir=" + temp.resolve("nodes"),
                "--out=" + temp.resolve("report"),
                "--cluster-port=" + PORT,
                "--storage-port=" + STORAGE_PORT));
    arguments.addAll(List.of(more));
    ProcessBuilder builder =
        SpawnedCommand.builder(EvaluateCommand.class, arguments.toArray(String[]::new));
    // Only write-back would start the launcher, and is not measured here.
    builder.environment().put("SLUICE_LAUNCHER", temp.resolve("launcher").toString());
    Path said = temp.resolve("said.txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    assertThat(temp.resolve("nodes")).isEmptyDirectory();
    return Files.readString(temp.resolve("report/report.md"));
  }

  @Test
  void index_files_in_memory() throws Exception {
    String report = report("cache", "--rows=20000", "--seconds=3", "--formats=BTI", "--disk=here");

    assertThat(report)
        .contains(
            "| deleted files held | pinned | 0 | – |", "point reads take", "No request failed")
        .containsPattern("\\| pinned, MiB \\| pinned \\| [0-9.]*[1-9]");
  }

  @Test
  void nodes_that_join() throws Exception {
    String report =
        report(
            "join",
            "--flushes=6",
            "--rows=100",
            "--reads=0,120",
            "--variants=stock,deferred syncs",
            "--disk=here");

    assertThat(report)
        .contains(
            "start to NORMAL takes", "sequential write of as many bytes", "| deferred syncs |")
        .containsPattern("syncs deferred \\| deferred syncs \\| [1-9]")
        .as("three quarters of 24 SSTables of 0.4 MB each")
        .containsPattern("received, MiB \\| stock \\| [67][.]");
  }

  @Test
  void nodes_that_share_a_host() throws Exception {
    String report =
        report("colocation", "--nodes=2", "--rows=5000", "--seconds=2", "--settle-seconds=2");

    assertThat(report).contains("2 nodes", "reads and writes, /s", "No request failed");
  }
}
