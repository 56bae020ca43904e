package io.sluice.host.memory;

import io.sluice.host.process.ProcessTable;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernel's merging of equal pages (KSM): its settings, counters and thread. */
final class Ksm {
  static final String FOLDER = "/sys/kernel/mm/ksm/";
  static final String PAGES_TO_SCAN = FOLDER + "pages_to_scan";

  /**
   * The first scan rate on kernels without an advisor. It is halved until the cost is low enough.
   */
  private static final int FIRST_RATE = 4000;

  private static final int SLEEP_MILLIS = 100;

  private final HostTree tree;

  Ksm(HostTree tree) {
    this.tree = tree;
  }

  boolean exists() throws IOException {
    return tree.read(FOLDER + "run").isPresent();
  }

  boolean hasAdvisor() throws IOException {
    return tree.read(FOLDER + "advisor_mode").isPresent();
  }

  Optional<String> setting(String name) throws IOException {
    return tree.read(FOLDER + name).map(KernelValue::of);
  }

  /**
   * Counters of the kernel.
   *
   * @param mergedPages pages of processes that use no memory of their own
   * @param zeroPages pages that are the kernel's single zero page
   * @param profitBytes saved memory less the memory that KSM uses itself; 0 if the kernel does not
   *     report it
   * @param fullScans number of complete scans of all memory that is opted in
   */
  record Counters(long mergedPages, long zeroPages, long profitBytes, long fullScans) {

    long savedBytes(long pageBytes) {
      return (mergedPages + zeroPages) * pageBytes;
    }
  }

  Counters counters() throws IOException {
    return new Counters(
        number("pages_sharing"),
        number("ksm_zero_pages"),
        number("general_profit"),
        number("full_scans"));
  }

  private long number(String name) throws IOException {
    String text = setting(name).orElse("0");
    return text.matches("-?\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  /**
   * Returns the processor time of the merging thread in ticks of a hundredth of a second; -1
   * without a thread.
   */
  long threadTicks() throws IOException {
    Optional<Long> pid =
        new ProcessTable(tree)
            .all().stream()
                .filter(process -> process.name().equals("ksmd") && process.arguments().isEmpty())
                .map(process -> process.pid())
                .findFirst();
    if (pid.isEmpty()) {
      return -1;
    }
    String stat = tree.read("/proc/" + pid.get() + "/stat").orElse("");
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
    return fields.size() < 13
        ? -1
        : Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
  }

  /**
   * Returns the settings to change, with their new values.
   *
   * @param percent most of a core that the merging thread may use
   */
  Map<String, String> wanted(int percent) throws IOException {
    Map<String, String> wanted = new LinkedHashMap<>();
    want(wanted, "smart_scan", "1");
    want(wanted, "use_zero_pages", "1");
    if (hasAdvisor()) {
      want(wanted, "advisor_max_cpu", Integer.toString(percent));
      want(wanted, "advisor_mode", "scan-time");
    } else {
      want(wanted, "sleep_millisecs", Integer.toString(SLEEP_MILLIS));
      want(wanted, "pages_to_scan", Integer.toString(FIRST_RATE));
    }
    want(wanted, "run", "1");
    return wanted;
  }

  /** Adds a setting if it has another value. Ignores settings that this kernel does not have. */
  private void want(Map<String, String> wanted, String name, String value) throws IOException {
    Optional<String> now = setting(name);
    if (now.isPresent() && !now.get().equals(value)) {
      wanted.put(FOLDER + name, value);
    }
  }
}
