package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFolderTest {
  @TempDir private Path temp = Path.of("");

  @Test
  void a_folder_with_other_files_is_refused() throws IOException {
    Files.writeString(temp.resolve("thesis.txt"), "");

    assertThatThrownBy(() -> ClusterFolder.requireOurs(temp))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining(temp.toString());
  }

  @Test
  void a_file_and_a_link_in_place_of_the_folder_are_refused() throws IOException {
    Path file = Files.writeString(temp.resolve("thesis.txt"), "");
    Path dangling = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("missing"));

    assertThatThrownBy(() -> ClusterFolder.requireOurs(file))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage(file + " is a file; choose another --dir");
    assertThatThrownBy(() -> ClusterFolder.requireOurs(dangling))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage(dangling + " is a link; choose another --dir");
  }

  @Test
  void an_empty_folder_a_missing_one_and_that_of_a_cluster_are_accepted() throws IOException {
    Path ours = temp.resolve("ours");
    new ClusterState("x", false, List.of()).write(ours);
    Files.writeString(ours.resolve("system.log"), "");

    assertThatCode(
            () -> {
              ClusterFolder.requireOurs(temp.resolve("missing"));
              ClusterFolder.requireOurs(Files.createDirectory(temp.resolve("empty")));
              ClusterFolder.requireOurs(ours);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void nothing_is_left_behind_not_even_the_parent_folder() throws IOException {
    Path dir = temp.resolve(".sluice").resolve("cluster");
    Files.createDirectories(dir.resolve("node1").resolve("data"));
    Files.writeString(dir.resolve("node1").resolve("data").resolve("f"), "");

    ClusterFolder.remove(dir);

    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void other_files_in_the_parent_folder_stay() throws IOException {
    Path around = temp.resolve(".sluice");
    Files.createDirectories(around.resolve("cluster"));
    Files.createDirectories(around.resolve("demo"));

    ClusterFolder.remove(around.resolve("cluster"));

    assertThat(around.resolve("demo")).exists();
    assertThat(around.resolve("cluster")).doesNotExist();
  }

  @Test
  void the_state_file_contains_what_was_written() {
    ClusterState state =
        new ClusterState("settings", true, List.of(new ClusterState.Entry("127.0.0.1", 1, 2, 3L)));
    state.write(temp);

    assertThat(ClusterState.read(temp)).isEqualTo(state);
  }

  @Test
  void a_state_that_cannot_be_written_or_read_is_a_failure_with_its_reason() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    ClusterState state = new ClusterState("settings", true, List.of());

    assertThatThrownBy(() -> state.write(file.resolve("cluster")))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage(
            "cannot write to "
                + file.resolve("cluster")
                + ": Not a directory; choose another --dir");
    Path folder = Files.createDirectories(temp.resolve("cluster.properties"));
    assertThatThrownBy(() -> ClusterState.read(temp))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("cannot read " + folder + ": Is a directory");
  }

  @Test
  void a_process_that_is_no_longer_the_node_counts_as_down() {
    long somebodyElse = ProcessHandle.current().pid();
    new ClusterState("", true, List.of(new ClusterState.Entry("127.0.0.1", 1, 2, somebodyElse)))
        .write(temp);

    assertThat(Clusters.anyAlive(temp)).isFalse();
  }
}
