package io.sluice.evaluate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCountersTest {
  @TempDir private Path proc = Path.of("");

  private void write(String name, String text) throws IOException {
    Files.createDirectories(proc.resolve("7"));
    Files.writeString(proc.resolve("7").resolve(name), text);
  }

  @Test
  void counters_are_read_from_the_kernels_files() throws Exception {
    write("stat", "7 (a (strange) name) S 1 2 3 4 5 6 7 8 99 10 11 12");
    write("io", "rchar: 5\nread_bytes: 4096\nwrite_bytes: 8\n");

    assertThat(ProcessCounters.of(proc, 7)).isEqualTo(new ProcessCounters(4096, 99));
  }

  @Test
  void locked_bytes_are_those_of_the_nodes_files_however_often_they_are_mapped() throws Exception {
    write(
        "smaps",
        """
        7f00-7f01 r--s 00000000 00:00 1 /data/node1/data/ks/t/nb-1-big-Index.db
        Rss:                  24 kB
        Locked:               12 kB
        VmFlags: rd mr me ms lo sd
        7f01-7f02 rw-p 00000000 00:00 0
        Rss:                 400 kB
        Locked:              400 kB
        VmFlags: rd wr mr mw me lo ac sd
        7f02-7f03 r--s 00000000 00:00 2 /data/node1/data/ks/t/nb-2-big-Index.db
        Rss:                   4 kB
        Locked:                4 kB
        VmFlags: rd mr me ms lo
        7f03-7f04 r--s 00000000 00:00 1 /data/node1/data/ks/t/nb-1-big-Index.db
        Rss:                  24 kB
        Locked:                0 kB
        VmFlags: rd mr me ms sd
        """);

    assertThat(ProcessCounters.lockedBytes(proc, 7, Path.of("/data/node1"))).isEqualTo(28 << 10);
  }

  @Test
  void only_deleted_files_of_the_node_count() throws Exception {
    write(
        "maps",
        """
        7f00-7f01 r--s 00000000 00:00 1 /data/node1/data/ks/t/nb-1-big-Index.db (deleted)
        7f01-7f02 r--s 00000000 00:00 2 /data/node1/data/ks/t/nb-2-big-Index.db
        7f02-7f03 r--s 00000000 00:00 3 /tmp/hsperf (deleted)
        """);

    assertThat(ProcessCounters.deletedMaps(proc, 7, Path.of("/data/node1"))).isEqualTo(1);
  }
}
