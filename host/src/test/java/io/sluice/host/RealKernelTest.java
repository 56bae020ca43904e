package io.sluice.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.memory.MemoryReport;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The kernel of this machine. Changes settings of an unused loop device and of dirty pages for some
 * milliseconds, if they are writable.
 */
@EnabledOnOs(OS.LINUX)
class RealKernelTest {
  private static final String QUEUE = "/sys/block/loop7/queue/";
  private static final String VM = "/proc/sys/vm/";
  private final HostTree tree = HostTree.at(Path.of("/"));

  @Test
  void undo_leaves_every_setting_of_the_kernel_as_it_was() throws IOException {
    assumeTrue(Files.isWritable(Path.of(VM + "dirty_ratio")), "not root");
    assumeTrue(tree.read("/sys/block/loop7/size").orElse("").strip().equals("0"), "no free loop7");
    assumeTrue(Files.isWritable(Path.of(QUEUE + "scheduler")), "sysfs cannot be written");
    List<String> choices = KernelValue.choices(tree.read(QUEUE + "scheduler").orElse(""));
    assumeTrue(choices.contains("bfq"), "no BFQ in this kernel");
    Map<String, String> wanted = new LinkedHashMap<>();
    wanted.put(QUEUE + "scheduler", "bfq");
    wanted.put(QUEUE + "iosched/low_latency", "0");
    wanted.put(QUEUE + "read_ahead_kb", "64");
    wanted.put(QUEUE + "nr_requests", "100");
    wanted.put(VM + "dirty_bytes", "1000000000");
    wanted.put(VM + "dirty_background_bytes", "500000000");
    wanted.put(VM + "dirty_expire_centisecs", "4000");

    try (Changes changes = begin()) {
      Map<String, String> before = snapshot();
      try {
        assertThat(changes.apply(Entry.Kind.APPLY, wanted)).isEmpty();
        assertThat(line(VM + "dirty_ratio")).isEqualTo("0");
        assertThat(line(QUEUE + "iosched/low_latency")).isEqualTo("0");

        assertThat(changes.undo(List.of(Entry.Kind.APPLY))).isEmpty();

        assertThat(snapshot()).isEqualTo(before);
      } finally {
        restoreWithoutTheCommand(before);
      }
    }
  }

  /** Restores the settings without the tested code, which may be broken. */
  private static void restoreWithoutTheCommand(Map<String, String> before) throws IOException {
    for (int pass = 0; pass < 3; pass++) {
      for (String path : List.copyOf(before.keySet())) {
        String value = KernelValue.of(before.get(path));
        if (!KernelValue.of(line(path)).equals(value)) {
          try {
            Files.writeString(Path.of(path), value, StandardOpenOption.WRITE);
          } catch (IOException e) {
            assertThat(pass).as("Another file has to go back first").isLessThan(2);
          }
        }
      }
    }
  }

  /** Returns a file's only line, read without the tested code; empty if the file does not exist. */
  private static String line(String path) throws IOException {
    if (!Files.exists(Path.of(path))) {
      return "";
    }
    try (BufferedReader reader = Files.newBufferedReader(Path.of(path))) {
      return String.valueOf(reader.readLine());
    }
  }

  /** Begins changes. Skips the test if another build on this machine holds the lock. */
  private Changes begin() {
    try {
      return Changes.begin(tree, line -> {});
    } catch (IOException e) {
      return abort(e.getMessage());
    }
  }

  /** A parameter that is read in parts ends after the first part. */
  @Test
  void a_parameter_of_the_kernel_is_read_as_a_whole() throws IOException {
    assertThat(tree.read(VM + "max_map_count")).contains(line(VM + "max_map_count") + "\n");
  }

  private Map<String, String> snapshot() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (String folder : List.of(QUEUE, QUEUE + "iosched/", VM)) {
      for (String name : tree.list(folder)) {
        if (tree.writable(folder + name) && (!folder.equals(VM) || name.startsWith("dirty"))) {
          all.put(folder + name, line(folder + name));
        }
      }
    }
    return all;
  }

  /** This process has pages of zeros, and one content many times. The report must find both. */
  @Test
  void the_memory_of_a_process_is_what_it_wrote_there() throws IOException {
    int bytes = 32 << 20;
    ByteBuffer zeros = ByteBuffer.allocateDirect(bytes);
    ByteBuffer equal = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < bytes; i += Long.BYTES) {
      equal.putLong(i, 0x5A5A_0000_0000_0001L);
    }
    HostProcess self = new ProcessTable(tree).find(ProcessHandle.current().pid()).orElseThrow();

    List<String> lines = new MemoryReport(tree, Integer.MAX_VALUE, false).of(List.of(self));

    assertThat(megabytes(lines, "  merging zero pages (KSM with use_zero_pages): "))
        .isGreaterThanOrEqualTo(31);
    assertThat(megabytes(lines, "  merging other equal pages (KSM): ")).isGreaterThanOrEqualTo(31);
    assertThat(zeros.getLong(0)).isZero();
    assertThat(equal.getLong(0)).isNotZero();
  }

  private static double megabytes(List<String> lines, String beginning) {
    return lines.stream()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()).split(" ", 2)[0].replace(",", ""))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow();
  }
}
