package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice cluster} as a process. It removes only what it created in the same call. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class ClusterCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path temp = Path.of("");

  @Test
  void a_start_with_no_node_alive_keeps_the_data() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      nodes.earlier();

      Process start = nodes.start();
      until(() -> nodes.alive().equals(List.of(0)));
      assertThat(nodes.data(0)).hasContent("rows");

      interrupt(start);
      assertThat(nodes.data(0)).hasContent("rows");
      assertThat(nodes.alive()).isEmpty();
    }
  }

  @Test
  void an_interrupted_restart_of_one_node_leaves_the_others_and_all_data() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 2)) {
      nodes.earlier(0);

      Process start = nodes.start();
      until(() -> nodes.alive().equals(List.of(0, 1)));
      interrupt(start);

      assertThat(nodes.alive()).containsExactly(0);
      assertThat(nodes.data(0)).hasContent("rows");
      assertThat(nodes.data(1)).hasContent("rows");
    }
  }

  @Test
  void an_interrupted_start_of_a_new_cluster_leaves_nothing() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      Process start = nodes.start();
      until(() -> nodes.alive().equals(List.of(0)));
      long pid = Clusters.in(nodes.spec.dir()).get(0).pid();
      interrupt(start);

      assertThat(nodes.spec.dir()).doesNotExist();
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void a_cluster_with_other_settings_is_kept_and_the_message_says_how_to_remove_it()
      throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      nodes.earlier();

      assertThat(nodes.start("--heap", "300m").waitFor()).isEqualTo(1);

      assertThat(nodes.said())
          .startsWith("sluice: a cluster with other settings is in " + nodes.spec.dir())
          .contains("sluice cluster stop --dir ", "--fresh");
      assertThat(nodes.data(0)).hasContent("rows");
    }
  }

  @Test
  void a_fresh_start_removes_the_earlier_cluster() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      nodes.earlier(0);

      nodes.start("--fresh");
      until(() -> !Files.exists(nodes.data(0)) && nodes.alive().equals(List.of(0)));
    }
  }

  @Test
  void a_stop_removes_a_cluster_whose_nodes_are_down() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      nodes.earlier();
      Process stop = nodes.command(List.of("stop", "--dir", nodes.spec.dir().toString()));

      assertThat(stop.waitFor()).isZero();
      assertThat(nodes.said()).isEqualTo("1 node stopped, " + nodes.spec.dir() + " removed\n");
      assertThat(nodes.spec.dir()).doesNotExist();
    }
  }

  @Test
  void a_start_in_the_place_of_a_file_leaves_the_file() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      Files.writeString(nodes.spec.dir(), "a thesis");

      assertThat(nodes.start().waitFor()).isEqualTo(1);

      assertThat(nodes.said())
          .isEqualTo("sluice: " + nodes.spec.dir() + " is a file; choose another --dir\n");
      assertThat(nodes.spec.dir()).hasContent("a thesis");
    }
  }

  @Test
  void wrong_usage_is_one_line_and_exits_with_2() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      assertThat(nodes.command(List.of()).waitFor()).isEqualTo(2);
      assertThat(nodes.said())
          .isEqualTo(
              "sluice: a command is missing: start, status, stop"
                  + " (sluice cluster --help lists the options)\n");

      assertThat(nodes.command(List.of("start", "--node", "2")).waitFor()).isEqualTo(2);
      assertThat(nodes.said())
          .isEqualTo(
              "sluice: Unknown options: '--node', '2'; did you mean --nodes?"
                  + " (sluice cluster start --help lists the options)\n");

      assertThat(nodes.command(List.of("start", "--help")).waitFor()).isZero();
      assertThat(nodes.said())
          .contains("--fresh", ".sluice/cluster)")
          .doesNotContain("[]", "--rf")
          .doesNotContainPattern("Default:\\s+/");
    }
  }

  private void interrupt(Process command) throws InterruptedException {
    command.destroy();
    assertThat(command.waitFor()).isEqualTo(143);
  }

  private static void until(BooleanSupplier condition) throws IOException {
    assertThat(Waiting.until(LIMIT, condition)).isTrue();
  }
}
