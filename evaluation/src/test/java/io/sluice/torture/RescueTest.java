package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Disturbance;
import io.sluice.torture.load.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RescueTest {
  @TempDir private Path temp = Path.of("");

  private final Journal journal = new Journal();
  private final List<String> said = new ArrayList<>();

  @Test
  void a_run_that_ends_early_leaves_its_history() throws IOException {
    Path file = temp.resolve("history.jsonl");
    journal.disturb("pause node 2", false, null);

    Rescue.of(journal, file, said::add).close();

    assertThat(HistoryFile.read(file).disturbances())
        .extracting(Disturbance::what)
        .containsExactlyInAnyOrder("pause node 2", "the end of the run");
    assertThat(said).containsExactly("ended early; judge it with --judge " + file);
  }

  @Test
  void a_finished_run_is_not_written_again() {
    Path file = temp.resolve("history.jsonl");
    Rescue rescue = Rescue.of(journal, file, said::add);

    rescue.deactivate();
    rescue.close();

    assertThat(file).doesNotExist();
    assertThat(said).isEmpty();
  }

  @Test
  void a_failure_to_write_the_history_is_reported() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("history.jsonl"));

    Rescue.of(journal, folder, said::add).close();

    assertThat(said).singleElement().asString().startsWith("ended early; the history cannot be");
  }
}
