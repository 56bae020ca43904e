package io.sluice.host.memory;

import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.Optional;

/**
 * The memory of a process according to the kernel's counters.
 *
 * @param process the process
 * @param residentBytes all resident memory
 * @param privateBytes resident memory without a file
 * @param optedIn whether the kernel may merge its pages; empty if unknown
 * @param mergedPages merged pages, zero pages included
 */
record ProcessMemory(
    HostProcess process,
    long residentBytes,
    long privateBytes,
    Optional<Boolean> optedIn,
    long mergedPages) {

  static ProcessMemory of(HostTree tree, HostProcess process) throws IOException {
    String folder = "/proc/" + process.pid() + "/";
    String rollup = tree.read(folder + "smaps_rollup").orElse("");
    String ksm = tree.read(folder + "ksm_stat").orElse("");
    Optional<Boolean> optedIn =
        field(ksm, "ksm_merge_any:").or(() -> field(ksm, "ksm_mergeable:")).map("yes"::equals);
    return new ProcessMemory(
        process,
        kilobytes(rollup, "Rss:"),
        kilobytes(rollup, "Anonymous:"),
        optedIn,
        number(ksm, "ksm_merging_pages") + number(ksm, "ksm_zero_pages"));
  }

  private static long kilobytes(String text, String name) {
    return number(text, name) * 1024;
  }

  private static long number(String text, String name) {
    return field(text, name)
        .filter(value -> value.matches("\\d{1,15}"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  private static Optional<String> field(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "\t"))
        .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
        .findFirst();
  }
}
