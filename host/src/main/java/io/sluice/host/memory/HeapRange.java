package io.sluice.host.memory;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of a JVM's heap: adjacent mappings without a file that together have the size of
 * the heap.
 *
 * @param start its first address
 * @param end the address after its last
 */
record HeapRange(long start, long end) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgt]?)");

  /** Finds a heap of this maximum size; empty if no mappings fit. */
  static Optional<HeapRange> find(List<Region> regions, long bytes) {
    for (int first = 0; first < regions.size(); first++) {
      long start = regions.get(first).start();
      long end = start;
      for (int i = first; i < regions.size() && end - start < bytes; i++) {
        Region region = regions.get(i);
        if (!region.isPrivateMemory() || region.start() != end) {
          break;
        }
        end = region.end();
      }
      if (bytes > 0 && end - start == bytes) {
        return Optional.of(new HeapRange(start, end));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the bytes of a size in the JVM's notation, such as {@code 512m}; 0 if it is not a size.
   */
  static long bytes(String size) {
    Matcher matcher = SIZE.matcher(size.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return 0;
    }
    int power =
        switch (matcher.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          case "t" -> 40;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << power;
  }

  boolean has(long address) {
    return address >= start && address < end;
  }
}
