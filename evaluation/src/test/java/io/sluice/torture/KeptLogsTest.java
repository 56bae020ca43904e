package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptLogsTest {
  @TempDir private Path temp = Path.of("");

  private Path log(String node, String text) throws IOException {
    Path folder = Files.createDirectories(temp.resolve("cluster").resolve(node));
    return Files.writeString(folder.resolve("system.log"), text);
  }

  @Test
  void logs_have_the_names_of_their_nodes_and_replace_those_of_an_earlier_run() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("seed-7"));
    List<Path> logs = List.of(log("node1", "one"), log("node2", "two"), temp.resolve("gone/x.log"));
    Files.writeString(folder.resolve("node2.log"), "before");

    KeptLogs.copy(logs, folder);

    assertThat(folder.resolve("node1.log")).hasContent("one");
    assertThat(folder.resolve("node2.log")).hasContent("two");
    assertThat(folder).isDirectoryNotContaining("glob:**/gone.log");
  }
}
