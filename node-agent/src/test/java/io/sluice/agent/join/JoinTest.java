package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stream that ends without a commit or an abort, as in 5.0 if an index that was streamed with its
 * SSTable is invalid. The room is off by then.
 */
@EnabledOnOs(OS.LINUX)
class JoinTest {
  @TempDir private Path folder;

  private final FakeJoinNode node = new FakeJoinNode();
  private final Join join = new Join(node);

  @BeforeEach
  void prepare() throws Exception {
    node.bootstrapping = false;
    streamWithoutEnd();
    assertThat(openFiles()).containsExactly("nb-1-big-Data.db");
    join.setEnabled(false);
  }

  /** Writes a file for a receiver that nothing refers to afterwards. */
  private void streamWithoutEnd() throws Exception {
    Path log = Files.createFile(folder.resolve("nb_txn_stream.log"));
    Path data = Files.createFile(folder.resolve("nb-1-big-Data.db"));
    Object receiver = new Object();
    join.receives(receiver);
    join.writesFor(receiver);
    join.files().logs(log);
    join.files().logged(log, true);
    assertThat(join.files().putsOff(data, data.toString())).isTrue();
    join.writesNoMore(true);
    Files.delete(data);
  }

  /** Returns the names of open files of the folder, which the kernel may mark as deleted. */
  private List<String> openFiles() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors.toList()) {
        Path file = target(each);
        if (file.startsWith(folder.toRealPath())) {
          names.add(file.getFileName().toString().replace(" (deleted)", ""));
        }
      }
    }
    return names;
  }

  private static Path target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (NoSuchFileException e) {
      return descriptor; // closed meanwhile, such as the one of the listing
    }
  }

  @Test
  void its_files_are_closed_when_a_compaction_is_submitted() {
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(join.holdsCompaction("table")).isFalse();
              assertThat(openFiles()).isEmpty();
            });
  }

  @Test
  void its_files_are_closed_when_another_stream_begins() {
    await()
        .untilAsserted(
            () -> {
              System.gc();
              join.receives(this);
              assertThat(openFiles()).isEmpty();
            });
  }
}
