package io.sluice.evaluate.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadAheadTest {
  @TempDir private Path temp = Path.of("");
  private Path block = Path.of("");

  @BeforeEach
  void deviceOfTheFolder() throws IOException {
    long device = ((Number) Files.getAttribute(temp, "unix:dev")).longValue();
    block = temp.resolve("sys/dev/block").resolve(ReadAhead.name(device));
    Files.createDirectories(block);
  }

  private void queue(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("read_ahead_kb"), "128\n");
  }

  @Test
  void a_report_has_the_read_ahead_of_the_disk_under_a_folder() throws Exception {
    queue(block.resolve("queue"));

    assertThat(ReadAhead.about(temp.resolve("sys"), "this disk", temp))
        .containsExactly(Map.entry("read-ahead of this disk", "128 KB"));
  }

  @Test
  void a_partition_has_the_queue_of_its_disk() throws Exception {
    queue(block.resolveSibling("queue"));

    assertThat(ReadAhead.about(temp.resolve("sys"), "this disk", temp)).hasSize(1);
  }

  @Test
  void a_report_says_nothing_of_a_disk_that_is_not_found() {
    assertThat(ReadAhead.about(temp.resolve("sys"), "this disk", temp)).isEmpty();
    assertThat(ReadAhead.about(temp.resolve("sys"), "this disk", temp.resolve("none"))).isEmpty();
  }

  @Test
  void a_device_has_a_major_and_a_minor_number() {
    assertThat(ReadAhead.name(0xfe00)).isEqualTo("254:0");
    assertThat(ReadAhead.name(0x103 << 8 | 0x12)).isEqualTo("259:18");
    assertThat(ReadAhead.name(0x100000L << 12 | 8 << 8 | 1)).isEqualTo("8:1048577");
  }
}
