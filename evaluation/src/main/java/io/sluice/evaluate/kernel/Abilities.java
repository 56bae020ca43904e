package io.sluice.evaluate.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The means of a study that this machine and this user have.
 *
 * @param means the available means
 */
public record Abilities(Set<Means> means) {
  /** A facility of the kernel that a study needs for a part of its measurements. */
  public enum Means {
    /** A limit on the memory of nodes. */
    MEMORY_LIMIT(
        "Cannot create a control group for memory, which needs root and a mounted controller: no"
            + " load is measured with little memory."),
    /** A simulated disk. */
    SIMULATED_DISK(
        "Cannot create a simulated disk, which needs root, /dev/fuse, a loop device, mkfs.ext4 and"
            + " libfuse 2."),
    /** The settings of the kernel's write-back. */
    WRITE_BACK("Write-back is not changed, because that needs root."),
    /** The merging of equal pages. */
    MERGING("Pages are not merged, because that needs root and a kernel with KSM.");

    private final String without;

    Means(String without) {
      this.without = without;
    }

    /** Returns a sentence on what is not measured without this. */
    public String without() {
      return without;
    }
  }

  /** Copies the set. */
  public Abilities {
    means = Set.copyOf(means);
  }

  /**
   * Returns the means of this process.
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
        && isProgram(root, "losetup")
        && isLibrary(root, "libfuse.so.2")) {
      means.add(Means.SIMULATED_DISK);
    }
    return new Abilities(means);
  }

  private static boolean isProgram(Path root, String name) {
    return List.of("usr/sbin", "sbin", "usr/bin", "bin").stream()
        .anyMatch(folder -> Files.isExecutable(root.resolve(folder).resolve(name)));
  }

  /** Searches the usual folders of libraries, and the folders of architectures below them. */
  private static boolean isLibrary(Path root, String name) {
    return List.of("usr/lib", "usr/lib64", "lib", "lib64", "usr/local/lib").stream()
        .map(root::resolve)
        .anyMatch(folder -> Files.exists(folder.resolve(name)) || isBelow(folder, name));
  }

  private static boolean isBelow(Path folder, String name) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> below = Files.list(folder)) {
      return below.anyMatch(each -> Files.exists(each.resolve(name)));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether these means are available. */
  public boolean has(Means one) {
    return means.contains(one);
  }

  /** Returns a sentence for each of these means that is missing. */
  public List<String> missing(List<Means> needed) {
    return needed.stream().filter(each -> !has(each)).map(Means::without).toList();
  }
}
