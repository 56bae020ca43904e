package io.sluice.host.change;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the files that the kernel itself changes when another file is written. A new I/O scheduler
 * brings its own tunables and limits. Of two limits of dirty pages, a write to one sets the other
 * to zero. The advisor of KSM takes over the scan rate. BFQ has one idle time in two units. Huge
 * pages raise the memory that the kernel keeps free.
 */
final class Consequences {
  private static final String VM = "/proc/sys/vm/";
  private static final String KSM = "/sys/kernel/mm/ksm/";
  private static final String HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/";
  private static final String SCHEDULER = "/queue/scheduler";

  /** BFQ's idle time in whole milliseconds. Its file in microseconds has the exact value. */
  private static final String SLICE_IDLE = "/iosched/slice_idle";

  private static final Map<String, List<String>> OTHERS =
      Map.of(
          VM + "dirty_bytes", List.of(VM + "dirty_ratio"),
          VM + "dirty_ratio", List.of(VM + "dirty_bytes"),
          VM + "dirty_background_bytes", List.of(VM + "dirty_background_ratio"),
          VM + "dirty_background_ratio", List.of(VM + "dirty_background_bytes"),
          HUGE_PAGES + "enabled", List.of(VM + "min_free_kbytes"),
          KSM + "advisor_mode", List.of(KSM + "pages_to_scan"));

  private Consequences() {}

  /** Returns the files that a write to this file may change, with their current values. */
  static List<Change> of(HostTree tree, String path) throws IOException {
    List<Change> changes = new ArrayList<>();
    for (String other : others(tree, path)) {
      Optional<String> before = value(tree, other);
      if (before.isPresent()) {
        changes.add(new Change(other, before.get(), null));
      }
    }
    return changes;
  }

  private static List<String> others(HostTree tree, String path) throws IOException {
    if (path.equals(KSM + "advisor_mode") && !value(tree, path).equals(Optional.of("none"))) {
      // The advisor changes the rate continually: there is no value to restore.
      return List.of();
    }
    if (path.endsWith(SLICE_IDLE)) {
      return List.of(path + "_us");
    }
    if (!path.endsWith(SCHEDULER)) {
      return OTHERS.getOrDefault(path, List.of());
    }
    String queue = path.substring(0, path.lastIndexOf('/'));
    List<String> others = new ArrayList<>();
    for (String folder : List.of(queue + "/iosched", queue)) {
      for (String name : tree.list(folder)) {
        String other = folder + "/" + name;
        if (tree.writable(other) && !other.equals(path)) {
          others.add(other);
        }
      }
    }
    return others;
  }

  /** Returns a value that can be recorded; empty if the file cannot be read. */
  private static Optional<String> value(HostTree tree, String path) {
    try {
      return tree.read(path).map(KernelValue::of).filter(Change::fits);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the other file of a pair, whose write makes the kernel set this file to zero. Needed
   * because this file does not accept a zero.
   *
   * @return empty if there is none
   */
  static Optional<String> zeroedBy(String path) {
    return path.endsWith("_bytes")
        ? Optional.ofNullable(OTHERS.get(path)).map(others -> others.get(0))
        : Optional.empty();
  }
}
