package io.sluice.evaluate.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The kernel's counters of a process.
 *
 * @param readBytes bytes read from disks since the start of the process
 * @param majorFaults page faults that needed a read from disk
 */
public record ProcessCounters(long readBytes, long majorFaults) {
  private static final Pattern MAPPING = Pattern.compile("^[0-9a-f]+-[0-9a-f]+ ");
  private static final Pattern LOCKED = Pattern.compile("^VmFlags:.* lo( |$)");
  private static final int MAJOR_FAULTS = 9;

  /**
   * Reads the counters.
   *
   * @param proc usually {@code /proc}
   */
  public static ProcessCounters of(Path proc, long pid) {
    Path folder = proc.resolve(Long.toString(pid));
    String stat = text(folder.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new ProcessCounters(
        number(text(folder.resolve("io")), "(?m)^read_bytes: ([0-9]+)$"),
        Long.parseLong(fields[MAJOR_FAULTS]));
  }

  /**
   * Returns the bytes of files below a folder that the process has locked in memory: the resident
   * bytes of locked mappings. The kernel's line {@code Locked} counts only a share of each page
   * that has several mappings, and Cassandra maps its files too.
   */
  public static long lockedBytes(Path proc, long pid, Path below) {
    long locked = 0;
    long resident = 0;
    boolean isBelow = false;
    for (String line : text(proc.resolve(Long.toString(pid)).resolve("smaps")).split("\n", -1)) {
      if (MAPPING.matcher(line).find()) {
        isBelow = line.contains(below + "/");
      } else if (line.startsWith("Rss:")) {
        resident = number(line, "([0-9]+) kB$") << 10;
      } else if (isBelow && LOCKED.matcher(line).find()) {
        locked += resident;
      }
    }
    return locked;
  }

  /** Returns the number of mappings of deleted files below a folder. */
  public static long deletedMaps(Path proc, long pid, Path below) {
    try (Stream<String> maps =
        Files.lines(proc.resolve(Long.toString(pid)).resolve("maps"), StandardCharsets.UTF_8)) {
      return maps.filter(line -> line.endsWith("(deleted)"))
          .filter(line -> line.contains(below.toString() + "/"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
