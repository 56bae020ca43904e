package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The end of a cluster, with shell scripts instead of JVMs. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class ClustersTest {
  @TempDir private Path temp = Path.of("");

  private final List<Process> started = new ArrayList<>();
  private final List<NodeProcess> nodes = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private Path dir = temp;

  @BeforeEach
  void startNodes() throws IOException {
    dir = temp.resolve("cluster");
    for (int i = 0; i < 3; i++) {
      Path folder = Files.createDirectories(dir.resolve("node" + (i + 1)));
      NodeProcess node =
          new NodeProcess(new NodePlan(i, "127.0.0.1", 19_042, 17_000, List.of(), false, folder));
      Process process = new ProcessBuilder("sleep", "100").start();
      started.add(process);
      node.started(process);
      nodes.add(node);
    }
  }

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  /** Lets the first node record its classes, for an archive in that folder. */
  private void recordFor(Path folder) throws IOException {
    Path node = nodes.get(0).plan().dir();
    new ClassArchive(folder, Path.of("/java"), List.of()).record(node);
    Files.writeString(node.resolve("classes.jsa"), "classes");
  }

  private void end() {
    Clusters.end(nodes, dir, said::add);
  }

  private void assertNothingIsLeft() {
    assertThat(nodes).noneMatch(NodeProcess::alive);
    assertThat(dir).doesNotExist();
  }

  @Test
  void classes_that_cannot_be_saved_are_a_line_and_all_nodes_are_ended() throws IOException {
    recordFor(temp.resolve("missing"));

    end();

    assertThat(said).hasSize(2).last().asString().contains("not saved", "missing");
    assertNothingIsLeft();
  }

  @Test
  void all_nodes_are_ended_in_an_interrupted_thread() throws IOException {
    recordFor(Files.createDirectories(temp.resolve("version")));
    Thread.currentThread().interrupt();

    assertThatThrownBy(this::end).isInstanceOf(ClusterFailure.class);

    assertThat(Thread.interrupted()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void a_kill_in_an_interrupted_thread_waits_for_the_end() {
    Thread.currentThread().interrupt();

    NodeProcess.killAll(nodes);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(nodes).noneMatch(NodeProcess::alive);
  }
}
