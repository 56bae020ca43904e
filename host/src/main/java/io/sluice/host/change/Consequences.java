package io.sluice.host.change;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that the kernel alters by itself when another one is written: a new I/O scheduler comes
 * with its own tunables and limits, of two limits of dirty pages one is set to zero by the other,
 * and the advisor of KSM takes over the scan rate.
 */
final class Consequences {
  private static final String VM = "/proc/sys/vm/";
  private static final String KSM = "/sys/kernel/mm/ksm/";
  private static final String SCHEDULER = "/queue/scheduler";

  private static final Map<String, List<String>> OTHERS =
      Map.of(
          VM + "dirty_bytes", List.of(VM + "dirty_ratio"),
          VM + "dirty_ratio", List.of(VM + "dirty_bytes"),
          VM + "dirty_background_bytes", List.of(VM + "dirty_background_ratio"),
          VM + "dirty_background_ratio", List.of(VM + "dirty_background_bytes"),
          KSM + "advisor_mode", List.of(KSM + "pages_to_scan"));

  private Consequences() {}

  /** The files that a write to this one may alter, with their values now. */
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
      // The advisor moves the rate all the time: there is no value to come back to.
      return List.of();
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

  /** A value that can be recorded; some files cannot be read. */
  private static Optional<String> value(HostTree tree, String path) {
    try {
      return tree.read(path).map(KernelValue::of).filter(Change::fits);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * A write that makes the kernel set this file to zero, where it takes no zero itself.
   *
   * @return the other file; empty if there is none
   */
  static Optional<String> zeroedBy(String path) {
    return path.endsWith("_bytes")
        ? Optional.ofNullable(OTHERS.get(path)).map(others -> others.get(0))
        : Optional.empty();
  }
}
