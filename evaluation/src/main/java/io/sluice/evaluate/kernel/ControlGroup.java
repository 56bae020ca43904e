package io.sluice.evaluate.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A control group for the memory of nodes, in version 1 or 2 of the kernel's interface. {@link
 * #close} and the end of this JVM remove the group after its processes have ended. Not safe for
 * several threads.
 */
public final class ControlGroup implements AutoCloseable {
  private static final long REMOVAL_NANOS = 5_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000;

  private final Path folder;
  private final boolean isVersion2;
  private final Thread hook = new Thread(this::remove, "remove-control-group");

  private ControlGroup(Path folder, boolean isVersion2) {
    this.folder = folder;
    this.isVersion2 = isVersion2;
  }

  /**
   * Creates a group.
   *
   * @param mount mount point of the control groups, usually {@code /sys/fs/cgroup}
   * @param name name of the group; an existing group of this name is used
   * @return empty if there is no memory controller, or this user may not create a group
   */
  public static Optional<ControlGroup> make(Path mount, String name) {
    Path version1 = mount.resolve("memory");
    Path controllers = mount.resolve("cgroup.subtree_control");
    boolean isVersion2 = Files.exists(controllers);
    try {
      if (isVersion2) {
        Files.writeString(controllers, "+memory");
      }
      Path folder = (isVersion2 ? mount : version1).resolve(name);
      if (!isVersion2 && !Files.exists(version1.resolve("memory.limit_in_bytes"))) {
        return Optional.empty();
      }
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder);
      }
      ControlGroup group = new ControlGroup(folder, isVersion2);
      Runtime.getRuntime().addShutdownHook(group.hook);
      return Optional.of(group);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the version of the kernel's interface. */
  public int version() {
    return isVersion2 ? 2 : 1;
  }

  /** Returns a command that enters the group and then executes the command in its arguments. */
  public List<String> entering() {
    return List.of(
        "/bin/sh",
        "-c",
        "echo $$ > '" + folder.resolve("cgroup.procs") + "' && exec \"$@\"",
        "sluice");
  }

  /**
   * Limits all memory of the group, page cache included. The kernel reclaims memory above the limit
   * at once.
   */
  public void limit(long bytes) {
    write(limitFile(), Long.toString(bytes));
  }

  /** Removes the limit. */
  public void unlimit() {
    write(limitFile(), isVersion2 ? "max" : "-1");
  }

  /** Lets the kernel reclaim as much of the page cache as it can. */
  public void dropCaches() {
    try {
      if (isVersion2) {
        write("memory.reclaim", Long.toString(cache()));
      } else {
        write("memory.force_empty", "0");
      }
    } catch (UncheckedIOException e) {
      // The kernel reports an error if it cannot reclaim all.
      return;
    }
  }

  /**
   * Returns the group's memory without page cache: heaps, stacks and the kernel's own memory for
   * the processes, in bytes.
   */
  public long withoutCache() {
    return Long.parseLong(read(isVersion2 ? "memory.current" : "memory.usage_in_bytes")) - cache();
  }

  /** Returns the size of the page cache in bytes. */
  public long cache() {
    Matcher matcher =
        Pattern.compile(isVersion2 ? "(?m)^file ([0-9]+)$" : "(?m)^total_cache ([0-9]+)$")
            .matcher(read("memory.stat"));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private String limitFile() {
    return isVersion2 ? "memory.max" : "memory.limit_in_bytes";
  }

  private String read(String file) {
    try {
      return Files.readString(folder.resolve(file), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String file, String value) {
    try {
      Files.writeString(folder.resolve(file), value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Removes the group. Retries, because the group may be busy for a moment after its last process
   * has ended.
   */
  private void remove() {
    long end = System.nanoTime() + REMOVAL_NANOS;
    while (Files.isDirectory(folder) && !folder.toFile().delete()) {
      if (System.nanoTime() - end > 0) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook removes the group.
      return;
    }
    remove();
  }
}
