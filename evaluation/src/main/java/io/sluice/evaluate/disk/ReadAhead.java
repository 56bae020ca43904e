package io.sluice.evaluate.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Read-ahead of the disk under a folder. The kernel may read as much around each page of a mapped
 * file that is missing.
 */
final class ReadAhead {
  /** Of the simulated disk: what Cassandra recommends for disks with seeks. */
  static final String KILOBYTES = "64";

  private ReadAhead() {}

  /**
   * For a report; empty where it cannot be found out, for example if there is no single disk.
   *
   * @param sys usually {@code /sys}
   */
  static Map<String, String> about(Path sys, String disk, Path folder) {
    try {
      long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
      Path block = sys.resolve("dev").resolve("block").resolve(name(device));
      for (String queue : new String[] {"queue", "../queue"}) {
        Path file = block.resolve(queue).resolve("read_ahead_kb");
        if (Files.exists(file)) {
          return Map.of(
              "read-ahead of " + disk,
              Files.readString(file, StandardCharsets.UTF_8).strip() + " KB");
        }
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Map.of();
    }
    return Map.of();
  }

  /** Major and minor number, as the C library takes them from a device's number. */
  static String name(long device) {
    long major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfffL);
    long minor = (device & 0xff) | (device >> 12 & ~0xffL & 0xffffffffL);
    return major + ":" + minor;
  }
}
