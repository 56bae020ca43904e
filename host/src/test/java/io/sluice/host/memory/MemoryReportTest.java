package io.sluice.host.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.kernel.Folder;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reports on processes whose pages the test writes: 256 pages of heap from 1 MB on, followed by 256
 * of other memory. A letter describes a page: zeros, a content, or a missing page.
 */
class MemoryReportTest {
  private static final int FIRST = 256;
  private static final int HALF = 256;
  private static final long PRESENT = 1L << 63;
  private static final long SWAPPED = 1L << 62;
  private static final long OF_FILE = 1L << 61;
  private static final long EXCLUSIVE = 1L << 56;

  @TempDir private Path temp = Path.of("");

  /** Creates a process with a page for each letter. The remaining pages are missing. */
  private HostProcess process(long pid, String heap, String other) throws IOException {
    String folder = "/proc/" + pid + "/";
    Folder files = new Folder(temp);
    files.file(folder + "comm", "java\n").file(folder + "cmdline", "java\0-Xms1m\0-Xmx1m\0");
    files.file(
        folder + "smaps",
        """
        00100000-00200000 rw-p 00000000 00:00 0
        Rss:             %d kB
        KernelPageSize:        4 kB
        00200000-00300000 rw-s 00000000 00:01 77    /dev/zero
        Rss:             1024 kB
        00300000-00400000 rw-p 00000000 00:00 0
        Rss:             %d kB
        """
            .formatted(4 * heap.length(), 4 * other.length()));
    ByteBuffer entries = ByteBuffer.allocate(1024 * Long.BYTES).order(ByteOrder.nativeOrder());
    ByteBuffer memory = ByteBuffer.allocate(1024 * PageReader.PAGE);
    fill(entries, memory, FIRST, heap);
    fill(entries, memory, FIRST + HALF, "c".repeat(HALF));
    fill(entries, memory, FIRST + 2 * HALF, other);
    Files.write(temp.resolve("proc/" + pid + "/pagemap"), entries.array());
    Files.write(temp.resolve("proc/" + pid + "/mem"), memory.array());
    return new ProcessTable(HostTree.at(temp)).find(pid).orElseThrow();
  }

  /** Letters: 0 zeros; s shared; w swapped out; f of a file; - missing; else a content. */
  private static void fill(ByteBuffer entries, ByteBuffer memory, int from, String pages) {
    for (int i = 0; i < pages.length(); i++) {
      char page = pages.charAt(i);
      long entry =
          switch (page) {
            case '-' -> 0;
            case 's' -> PRESENT;
            case 'w' -> PRESENT | SWAPPED | EXCLUSIVE;
            case 'f' -> PRESENT | OF_FILE | EXCLUSIVE;
            default -> PRESENT | EXCLUSIVE;
          };
      entries.putLong((from + i) * Long.BYTES, entry);
      memory.putLong((from + i) * PageReader.PAGE + 64, page == '0' ? 0 : page);
    }
  }

  private List<String> report(long mostPages, HostProcess... processes) throws IOException {
    return new MemoryReport(HostTree.at(temp), mostPages, false).of(List.of(processes));
  }

  private ProcessPages read(long mostPages, HostProcess process) throws IOException {
    return new PageReader(HostTree.at(temp), mostPages).read(process);
  }

  @Test
  void only_resident_private_pages_are_read() throws IOException {
    ProcessPages pages = read(1000, process(7, "000ab-w0f0ss", "0aac"));

    assertThat(pages.whole()).isTrue();
    assertThat(pages.residentPages()).isEqualTo(16);
    assertThat(pages.readPages()).isEqualTo(11);
    assertThat(pages.zeroPages()).isEqualTo(6);
    assertThat(pages.zeroHeapPages()).isEqualTo(5);
    assertThat(pages.sharedPages()).isEqualTo(2);
    assertThat(pages.hashes().size()).isEqualTo(5);
  }

  /** Chunks have 64 pages; the heap and the other memory have four chunks each. */
  @Test
  void a_sample_counts_for_all_of_the_process() throws IOException {
    HostProcess process = process(7, "0".repeat(HALF), "0".repeat(HALF));

    ProcessPages sample = read(200, process);

    assertThat(sample.whole()).isFalse();
    assertThat(sample.readPages()).isPositive().isLessThan(2 * HALF);
    assertThat(sample.ofAll(sample.zeroPages())).isEqualTo(2 * HALF);
    assertThat(read(2 * HALF, process).whole()).isTrue();
  }

  @Test
  void each_remedy_is_reported_with_its_gain() throws IOException {
    new Folder(temp).ksm();
    String heap = "0".repeat(128) + "ab";
    List<String> lines = report(1000, process(7, heap, "aa0"), process(8, heap, "aa0"));

    assertThat(lines)
        .contains(
            "  all, 0.5 MB of 0.5 MB read, 0.0 MB shared already: zero pages 0.5 MB, including"
                + " 0.5 MB in the Java heap",
            "  heap: -Xmx1m, -Xms1m",
            "  smaller heaps (-Xms and -Xmx, no AlwaysPreTouch): up to 1.0 MB, the zero"
                + " pages of the heaps, without cost in processor time",
            "  merging zero pages (KSM with use_zero_pages): 1.0 MB, as long as they stay zero",
            "  Most of this is unused heap: make the heaps smaller first.");
    assertThat(lines).anyMatch(line -> line.startsWith("  2 of 2 processes are not opted in"));
  }

  @Test
  void equal_pages_are_counted_within_and_between_processes() throws IOException {
    String same = "a".repeat(128);
    List<String> lines = report(1000, process(7, same, "b"), process(8, same, "b"));

    assertThat(lines)
        .contains(
            "  merging other equal pages (KSM): 1.0 MB, including 0.0 MB between processes",
            "This kernel cannot merge equal pages (no CONFIG_KSM).")
        .noneMatch(line -> line.contains("make the heaps smaller"))
        .noneMatch(line -> line.contains("not opted in:"));
  }

  @Test
  void the_kernel_s_counters_are_shown_and_pages_read_only_on_request() throws IOException {
    new Folder(temp)
        .ksm()
        .file("/sys/kernel/mm/ksm/pages_sharing", "256\n")
        .file("/sys/kernel/mm/ksm/ksm_zero_pages", "512\n")
        .file("/sys/kernel/mm/ksm/general_profit", "-1048576\n");
    HostProcess process = process(7, "00", "");
    new Folder(temp)
        .file(
            "/proc/7/smaps_rollup", "Rss:   3072 kB\nAnonymous:\t 2048 kB\nAnonymousOther: 1 kB\n")
        .file(
            "/proc/7/ksm_stat", "ksm_zero_pages 128\nksm_merging_pages 128\nksm_merge_any: yes\n");

    List<String> lines = report(0, process);

    assertThat(lines)
        .containsExactly(
            "Merging of equal pages (KSM): off, advisor none, smart_scan 1, use_zero_pages 0",
            "  saved now: 3.0 MB, including zero pages 2.0 MB; profit by the kernel's"
                + " counters -1.0 MB",
            process.title()
                + ": 3.0 MB resident, 2.0 MB private; merged 1.0 MB; opted in to merging");

    new Folder(temp).file("/proc/self/smaps", "KernelPageSize:       16 kB\n");
    assertThat(report(0, process))
        .as("with pages of 16 KB")
        .anyMatch(line -> line.contains("saved now: 12.0 MB, including zero pages 8.0 MB"))
        .anyMatch(line -> line.contains("3.0 MB resident, 2.0 MB private; merged 4.0 MB"));
  }

  @Test
  void large_pages_cannot_be_compared() throws IOException {
    HostProcess process = process(7, "00", "");
    Path smaps = temp.resolve("proc/7/smaps");
    Files.writeString(smaps, Files.readString(smaps).replace(" 4 kB", " 64 kB"));

    assertThatThrownBy(() -> report(10, process)).hasMessageContaining("another size than 4 KB");
    Files.delete(smaps);
    assertThatThrownBy(() -> report(10, process)).hasMessageEndingWith("has ended");
  }

  @Test
  void memory_that_ends_early_counts_up_to_its_end() throws IOException {
    HostProcess process = process(7, "0ab", "0");
    Path memory = temp.resolve("proc/7/mem");
    byte[] bytes = Files.readAllBytes(memory);
    Files.write(memory, Arrays.copyOf(bytes, (FIRST + 2) * PageReader.PAGE));

    assertThat(read(1000, process).readPages()).isEqualTo(2);
  }
}
