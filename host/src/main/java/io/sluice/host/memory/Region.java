package io.sluice.host.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mapping of a process, from {@code smaps}.
 *
 * @param start its first address
 * @param end the address after its last
 * @param isPrivateMemory whether it is private memory without a file
 * @param residentBytes its resident bytes
 */
record Region(long start, long end, boolean isPrivateMemory, long residentBytes) {
  private static final Pattern HEAD =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S{4}) \\S+ \\S+ (\\d+)\\s*(.*)");

  static List<Region> parse(String smaps) {
    List<Region> regions = new ArrayList<>();
    Matcher head = null;
    long resident = 0;
    for (String line : smaps.lines().toList()) {
      Matcher next = HEAD.matcher(line);
      if (next.matches()) {
        if (head != null) {
          regions.add(of(head, resident));
        }
        head = next;
        resident = 0;
      } else if (line.startsWith("Rss:")) {
        resident = Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    if (head != null) {
      regions.add(of(head, resident));
    }
    return regions;
  }

  private static Region of(Matcher head, long resident) {
    boolean own = head.group(3).endsWith("p") && head.group(4).equals("0");
    boolean kernels = head.group(5).matches("\\[(vdso|vvar.*|vsyscall)]");
    return new Region(
        Long.parseUnsignedLong(head.group(1), 16),
        Long.parseUnsignedLong(head.group(2), 16),
        own && !kernels,
        resident);
  }
}
