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
 * A control group for the memory of nodes, of version 1 or 2 of the kernel's interface. {@link
 * #close}, and the end of this JVM, remove it, once its processes have ended. Used by one thread.
 */
public final class ControlGroup implements AutoCloseable {
  private static final long REMOVAL_NANOS = 5_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000;

  private final Path folder;
  private final boolean second;
  private final Thread hook = new Thread(this::remove, "remove-control-group");

  private ControlGroup(Path folder, boolean second) {
    this.folder = folder;
    this.second = second;
  }

  /**
   * Makes a group.
   *
   * @param mount where control groups are mounted, usually {@code /sys/fs/cgroup}
   * @param name of the group; one of that name that is left over is taken
   * @return empty where there is no controller of memory, or no right to make a group
   */
  public static Optional<ControlGroup> make(Path mount, String name) {
    Path first = mount.resolve("memory");
    Path controllers = mount.resolve("cgroup.subtree_control");
    boolean second = Files.exists(controllers);
    try {
      if (second) {
        Files.writeString(controllers, "+memory");
      }
      Path folder = (second ? mount : first).resolve(name);
      if (!second && !Files.exists(first.resolve("memory.limit_in_bytes"))) {
        return Optional.empty();
      }
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder);
      }
      ControlGroup group = new ControlGroup(folder, second);
      Runtime.getRuntime().addShutdownHook(group.hook);
      return Optional.of(group);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Which version of the interface it is of. */
  public int version() {
    return second ? 2 : 1;
  }

  /** The command that enters the group and then becomes the command it is given. */
  public List<String> entering() {
    return List.of(
        "/bin/sh",
        "-c",
        "echo $$ > '" + folder.resolve("cgroup.procs") + "' && exec \"$@\"",
        "sluice");
  }

  /** Limits all memory of the group, page cache included; what is too much is given back now. */
  public void limit(long bytes) {
    write(limitFile(), Long.toString(bytes));
  }

  /** Takes the limit away. */
  public void unlimit() {
    write(limitFile(), second ? "max" : "-1");
  }

  /** Gives as much of the page cache back as the kernel can. */
  public void dropCaches() {
    try {
      if (second) {
        write("memory.reclaim", Long.toString(cache()));
      } else {
        write("memory.force_empty", "0");
      }
    } catch (UncheckedIOException e) {
      // It says so when it could not give back all of it.
      return;
    }
  }

  /** Bytes that are no page cache: heaps, stacks, and what the kernel keeps for the processes. */
  public long withoutCache() {
    return Long.parseLong(read(second ? "memory.current" : "memory.usage_in_bytes")) - cache();
  }

  /** Bytes of page cache. */
  public long cache() {
    Matcher matcher =
        Pattern.compile(second ? "(?m)^file ([0-9]+)$" : "(?m)^total_cache ([0-9]+)$")
            .matcher(read("memory.stat"));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private String limitFile() {
    return second ? "memory.max" : "memory.limit_in_bytes";
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

  /** A group whose last process has just ended may be busy for a moment. */
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
      // The JVM is ending: the hook does it.
      return;
    }
    remove();
  }
}
