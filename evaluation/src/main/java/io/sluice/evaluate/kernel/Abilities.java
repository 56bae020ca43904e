package io.sluice.evaluate.kernel;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The means of a study that this machine and this user have.
 *
 * @param means those that can be used
 */
public record Abilities(Set<Means> means) {
  /** A thing of the kernel that a study needs for a part of what it measures. */
  public enum Means {
    /** A limit on the memory of nodes. */
    MEMORY_LIMIT(
        "No control group for memory can be made here (it takes root and a mounted controller), so"
            + " nothing is measured with memory short."),
    /** A disk that is simulated. */
    SIMULATED_DISK(
        "No simulated disk can be made here: it takes root, /dev/fuse, a loop device, mkfs.ext4 and"
            + " libfuse 2."),
    /** Settings of the kernel's write-back. */
    WRITE_BACK("Write-back is not changed: that takes root."),
    /** Merging of equal pages. */
    MERGING("Pages are not merged: that takes root and a kernel with KSM.");

    private final String without;

    Means(String without) {
      this.without = without;
    }

    /** What is not measured without it, a sentence. */
    public String without() {
      return without;
    }
  }

  /** Takes a copy. */
  public Abilities {
    means = Set.copyOf(means);
  }

  /**
   * Those of this process.
   *
   * @param root the file system's root; another one in tests
   */
  public static Abilities of(Path root) {
    Set<Means> means = EnumSet.noneOf(Means.class);
    if (Files.isWritable(root.resolve("sys/fs/cgroup/memory/memory.limit_in_bytes"))
        || Files.isWritable(root.resolve("sys/fs/cgroup/cgroup.subtree_control"))) {
      means.add(Means.MEMORY_LIMIT);
    }
    if (Files.isWritable(root.resolve("proc/sys/vm/dirty_ratio"))) {
      means.add(Means.WRITE_BACK);
    }
    if (Files.isWritable(root.resolve("sys/kernel/mm/ksm/run"))) {
      means.add(Means.MERGING);
    }
    if (Files.isWritable(root.resolve("dev/fuse"))
        && Files.isWritable(root.resolve("dev/loop-control"))
        && isProgram(root, "mkfs.ext4")
        && isProgram(root, "losetup")) {
      means.add(Means.SIMULATED_DISK);
    }
    return new Abilities(means);
  }

  private static boolean isProgram(Path root, String name) {
    return List.of("usr/sbin", "sbin", "usr/bin", "bin").stream()
        .anyMatch(folder -> Files.isExecutable(root.resolve(folder).resolve(name)));
  }

  /** Whether it has them. */
  public boolean has(Means one) {
    return means.contains(one);
  }

  /** Sentences on those of these that are missing. */
  public List<String> missing(List<Means> needed) {
    return needed.stream().filter(each -> !has(each)).map(Means::without).toList();
  }
}
