package io.sluice.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mappings of a process, by default of this one, according to the kernel. */
public final class Maps {
  private static final Pattern RANGE = Pattern.compile("^([0-9a-f]+)-([0-9a-f]+) .*");

  private Maps() {}

  /** Returns the mappings of files whose path has this beginning. */
  public static List<String> of(Path path) throws IOException {
    return of(path, Path.of("/proc/self/maps"));
  }

  /** Returns the same for another process. */
  public static List<String> of(Path path, Path maps) throws IOException {
    return Files.readAllLines(maps).stream().filter(line -> line.contains(" " + path)).toList();
  }

  /** Returns the mappings whose file is deleted. */
  public static List<String> deleted(Path path) throws IOException {
    return of(path).stream().filter(line -> line.endsWith("(deleted)")).toList();
  }

  /** Returns the locked bytes of mappings of that path. */
  public static long lockedBytes(Path path) throws IOException {
    return lockedBytes(path, Path.of("/proc/self/smaps"));
  }

  /** Returns the same for another process. */
  public static long lockedBytes(Path path, Path smaps) throws IOException {
    long sum = 0;
    long current = 0;
    for (String line : Files.readAllLines(smaps)) {
      Matcher range = RANGE.matcher(line);
      if (range.matches()) {
        current =
            line.contains(" " + path)
                ? Long.parseLong(range.group(2), 16) - Long.parseLong(range.group(1), 16)
                : 0;
      } else if (line.startsWith("VmFlags:") && (line + " ").contains(" lo ")) {
        sum += current;
      }
    }
    return sum;
  }
}
