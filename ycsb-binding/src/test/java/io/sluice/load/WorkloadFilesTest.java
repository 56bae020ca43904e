package io.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The workloads of the user and of Sluice. */
class WorkloadFilesTest {
  @TempDir private Path temp = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c", "g", "mix91", "mix55", "openloop"})
  void each_workload_that_the_usage_names_is_there(String name) throws IOException {
    assertThat(WorkloadFiles.read(name)).containsKey("recordcount");
    assertThat(WorkloadFiles.read("workloads/" + name)).isEqualTo(WorkloadFiles.read(name));
  }

  @Test
  void a_file_of_the_user_comes_before_one_of_the_same_name() throws IOException {
    Path file = Files.writeString(temp.resolve("a"), "recordcount=7\nname=\u00e9\n");

    assertThat(WorkloadFiles.read(file.toString()))
        .hasSize(2)
        .containsEntry("recordcount", "7")
        .containsEntry("name", "\u00e9");
  }
}
