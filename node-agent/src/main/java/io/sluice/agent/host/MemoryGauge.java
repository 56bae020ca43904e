package io.sluice.agent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the memory available to this process: the least of the host's and of that of each control
 * group above the process (version 1 or 2). Safe for any thread.
 */
public final class MemoryGauge {
  private static final Pattern FULL_STALL = Pattern.compile("(?m)^full avg10=([0-9.]+)");
  private static final String V2 = "sys/fs/cgroup";
  private static final String V1 = "sys/fs/cgroup/memory";

  private final Path root;
  private final List<Path> groups = new ArrayList<>();

  /**
   * Creates a gauge.
   *
   * @param root the file system's root; another one in tests
   */
  public MemoryGauge(Path root) {
    this.root = root;
    String lines = text(root.resolve("proc/self/cgroup"));
    for (String line : lines == null ? new String[0] : lines.split("\n", -1)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
        addGroups(root.resolve(V2), parts[2]);
      } else if (parts.length == 3 && ("," + parts[1] + ",").contains(",memory,")) {
        addGroups(root.resolve(V1), parts[2]);
      }
    }
  }

  /**
   * Adds a group and those above it. In a container, the mounted folder may be the group itself.
   */
  private void addGroups(Path mount, String name) {
    Path named = mount.resolve(name.replaceFirst("^/+", "")).normalize();
    Path lowest = named.startsWith(mount) ? named : mount;
    for (Path each = lowest; each != null && each.startsWith(mount); each = each.getParent()) {
      if (Files.isDirectory(each)) {
        groups.add(each);
      }
    }
  }

  /**
   * Reads the current state.
   *
   * @throws IOException if the host's memory cannot be read
   */
  public State read() throws IOException {
    String host = text(root.resolve("proc/meminfo"));
    Long total = host == null ? null : number(host, "MemTotal: +([0-9]+) kB");
    Long available = host == null ? null : number(host, "MemAvailable: +([0-9]+) kB");
    if (total == null || available == null) {
      throw new IOException("/proc/meminfo has no MemTotal or no MemAvailable");
    }
    long most = total << 10;
    long now = available << 10;
    double stall = stall(root.resolve("proc/pressure/memory"));
    for (Path each : groups) {
      Long limit = limit(each);
      Long used = firstNumber(each, "memory.current", "memory.usage_in_bytes");
      if (limit != null && used != null && limit < total << 10) {
        most = Math.min(most, limit);
        now = Math.min(now, Math.max(0, limit - used + reclaimable(each)));
      }
      stall = Math.max(stall, stall(each.resolve("memory.pressure")));
    }
    return new State(most, now, stall);
  }

  private static @Nullable Long limit(Path group) {
    Long high = firstNumber(group, "memory.high");
    Long max = firstNumber(group, "memory.max", "memory.limit_in_bytes");
    if (high == null || max == null) {
      return high == null ? max : high;
    }
    return Math.min(high, max);
  }

  /**
   * Returns the page cache of the group that the kernel could drop. Locked pages are on another
   * list.
   */
  private static long reclaimable(Path group) {
    String stat = text(group.resolve("memory.stat"));
    if (stat == null) {
      return 0;
    }
    long sum = 0;
    for (String each : new String[] {"inactive_file", "active_file"}) {
      Long ofAll = number(stat, "(?m)^total_" + each + " ([0-9]+)$");
      Long own = ofAll == null ? number(stat, "(?m)^" + each + " ([0-9]+)$") : ofAll;
      sum += own == null ? 0 : own;
    }
    return sum;
  }

  private static double stall(Path file) {
    String pressure = text(file);
    Matcher matcher = FULL_STALL.matcher(pressure == null ? "" : pressure);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
  }

  /** Returns the number in the first of these files that has one; "max" is not a number. */
  private static @Nullable Long firstNumber(Path group, String... files) {
    for (String each : files) {
      String text = text(group.resolve(each));
      Long number = text == null ? null : number(text.trim(), "^([0-9]+)$");
      if (number != null) {
        return number;
      }
    }
    return null;
  }

  private static @Nullable Long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    String digits = matcher.find() ? matcher.group(1) : null;
    if (digits == null) {
      return null;
    }
    return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  private static @Nullable String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
  }

  /** The kernel's memory statistics at one moment. Immutable. */
  public static final class State {
    private final long totalBytes;
    private final long availableBytes;
    private final double stallPercent;

    /**
     * Creates a state.
     *
     * @param totalBytes the most memory that this process can get
     * @param availableBytes memory available to it now: free memory and page cache that is not
     *     locked
     * @param stallPercent share of the last ten seconds in which all work of the host or control
     *     group waited for memory, 0 to 100; 0 if the kernel does not report it
     */
    public State(long totalBytes, long availableBytes, double stallPercent) {
      this.totalBytes = totalBytes;
      this.availableBytes = availableBytes;
      this.stallPercent = stallPercent;
    }

    /** Returns the most memory that this process can get, in bytes. */
    public long totalBytes() {
      return totalBytes;
    }

    /** Returns the memory available to it now, in bytes, without locked pages. */
    public long availableBytes() {
      return availableBytes;
    }

    /** Returns the share of the last ten seconds in which all work waited for memory, 0 to 100. */
    public double stallPercent() {
      return stallPercent;
    }

    @Override
    public String toString() {
      return availableBytes + " of " + totalBytes + " bytes, stalled " + stallPercent + " %";
    }
  }
}
