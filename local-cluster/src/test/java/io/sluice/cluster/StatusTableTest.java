package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code sluice cluster status}. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class StatusTableTest {
  @TempDir private Path temp = Path.of("");

  private final StringWriter text = new StringWriter();

  private boolean print(List<NodeProcess> nodes) {
    return StatusTable.print(nodes, new PrintWriter(text));
  }

  private NodeProcess node(int index, int port) {
    return new NodeProcess(
        new NodePlan(index, "127.0.0.1", port, 17_000, List.of(), false, temp.resolve("node")));
  }

  private List<String> lines() {
    return text.toString().lines().toList();
  }

  @Test
  void no_nodes_are_no_cluster_and_do_not_all_serve() {
    assertThat(print(List.of())).isFalse();
    assertThat(lines()).containsExactly("no cluster");
  }

  @Test
  void a_node_that_never_ran_is_down_and_has_no_process_id() {
    assertThat(print(List.of(node(1, 19_042)))).isFalse();

    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).matches("node +address +port +storage +pid +state +log");
    assertThat(lines().get(1)).matches("2 +127.0.0.1 +19042 +17000 +- +down +.*node/system.log");
  }

  private static int portThatWasFree() throws IOException {
    try (ServerSocket bound = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return bound.getLocalPort();
    }
  }

  @Test
  void a_process_whose_port_is_open_is_up_and_one_without_is_busy() throws IOException {
    Process process = new ProcessBuilder("sleep", "100").start();
    try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      NodeProcess up = node(0, open.getLocalPort());
      up.started(process);
      assertThat(print(List.of(up))).isTrue();
      assertThat(lines().get(1)).contains(" " + process.pid() + "  up ");

      NodeProcess busy = node(1, portThatWasFree());
      busy.started(process);
      assertThat(print(List.of(up, busy))).isFalse();
      assertThat(lines().get(lines().size() - 1)).contains("  busy ");
      assertThat(print(List.of(busy, up))).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }
}
