package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.host.join.Join.WriteBack;
import io.sluice.host.kernel.Folder;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real node joins another, with the settings of a copied tree. */
@Tag("long")
@EnabledOnOs(OS.LINUX)
class JoiningNodeIT {
  private static final String EXPIRE = "/proc/sys/vm/dirty_expire_centisecs";

  @TempDir private Path temp = Path.of("");
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  @Test
  void settings_hold_from_the_start_of_a_node_until_it_is_normal() throws Exception {
    Folder folder = new Folder(temp.resolve("tree")).kernel();
    Map<String, String> before = folder.snapshot();
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(temp.resolve("cluster"))
            .withNodes(1, 1)
            .withPorts(FreePorts.next(), FreePorts.next());
    try (LocalCluster cluster = LocalCluster.start(spec, line -> {})) {
      List<Long> running = ids();
      CompletableFuture<Void> added = CompletableFuture.runAsync(cluster::addNode);
      await().atMost(Duration.ofSeconds(30)).until(() -> newNode(running).isPresent());

      boolean joined =
          new Join(HostTree.at(folder.root()), said::add)
              .run(
                  new Join.Target(newNode(running).orElseThrow(), null, null),
                  new WriteBack(40, 60, 120, 5),
                  null,
                  120_000);

      assertThat(joined).as("%s", said).isTrue();
      added.get();
    }
    assertThat(said)
        .contains(EXPIRE + ": 3000 -> 12000", EXPIRE + ": 12000 -> 3000")
        .anyMatch(line -> line.endsWith("NORMAL, it has joined"));
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  private Optional<Long> newNode(List<Long> running) throws IOException {
    return ids().stream().filter(pid -> !running.contains(pid)).findFirst();
  }

  /** Returns the process ids of this cluster's nodes: other nodes may run on this machine. */
  private List<Long> ids() throws IOException {
    return new ProcessTable(HostTree.at(Path.of("/")))
        .nodes().stream()
            .filter(
                node -> node.arguments().stream().anyMatch(each -> each.contains(temp.toString())))
            .map(HostProcess::pid)
            .toList();
  }
}
