package io.sluice.host.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A copied tree on disk, with the files of kernels and devices for tests. */
public final class Folder {
  private final Path root;

  public Folder(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  public Folder file(String path, String text) {
    try {
      Path file = root.resolve(path.substring(1));
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(file);
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a file without write permission. */
  public Folder fixed(String path, String text) {
    file(path, text);
    try {
      Files.setPosixFilePermissions(
          root.resolve(path.substring(1)), PosixFilePermissions.fromString("r--r--r--"));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String text(String path) {
    try {
      return Files.readString(root.resolve(path.substring(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all files with their content, except those of the command itself. */
  public Map<String, String> snapshot() {
    try (Stream<Path> files = Files.walk(root)) {
      Map<String, String> all = new TreeMap<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = "/" + root.relativize(file);
        if (!path.startsWith("/run/")) {
          all.put(path, Files.readString(file));
        }
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds the kernel's parameters of memory, huge pages and page merging. */
  public Folder kernel() {
    file("/proc/sys/kernel/osrelease", "6.1.0-test\n");
    file("/proc/sys/kernel/random/boot_id", "first-boot\n");
    file("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
    vm("max_map_count", "65530");
    vm("swappiness", "60");
    vm("zone_reclaim_mode", "0");
    vm("min_free_kbytes", "16384");
    vm("dirty_background_ratio", "10");
    vm("dirty_background_bytes", "0");
    vm("dirty_ratio", "20");
    vm("dirty_bytes", "0");
    vm("dirty_expire_centisecs", "3000");
    vm("dirty_writeback_centisecs", "500");
    file("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    file(
        "/sys/kernel/mm/transparent_hugepage/defrag",
        "always defer defer+madvise [madvise] never\n");
    return this;
  }

  public Folder vm(String name, String value) {
    return file("/proc/sys/vm/" + name, value + "\n");
  }

  /** Adds the files of page merging of a kernel since 6.7. */
  public Folder ksm() {
    for (String[] each :
        new String[][] {
          {"run", "0"},
          {"pages_to_scan", "100"},
          {"sleep_millisecs", "20"},
          {"smart_scan", "1"},
          {"use_zero_pages", "0"},
          {"advisor_mode", "[none] scan-time"},
          {"advisor_max_cpu", "70"},
          {"pages_sharing", "0"},
          {"ksm_zero_pages", "0"},
          {"general_profit", "0"},
          {"full_scans", "0"}
        }) {
      file("/sys/kernel/mm/ksm/" + each[0], each[1] + "\n");
    }
    return this;
  }

  /** Adds a block device with that scheduler. */
  public Folder disk(String name, String schedulers, boolean rotational, int readAheadKb) {
    String queue = "/sys/block/" + name + "/queue/";
    file("/sys/block/" + name + "/removable", "0\n");
    file(queue + "scheduler", schedulers + "\n");
    file(queue + "rotational", rotational ? "1\n" : "0\n");
    file(queue + "read_ahead_kb", readAheadKb + "\n");
    file(queue + "nr_requests", "256\n");
    file(queue + "wbt_lat_usec", "75000\n");
    file(queue + "write_cache", "write back\n");
    fixed(queue + "hw_sector_size", "512\n");
    return this;
  }

  /** Adds a Cassandra node with these limits of locked memory and open files. */
  public Folder node(long pid, String locked, String files) {
    file("/proc/" + pid + "/comm", "java\n");
    file(
        "/proc/" + pid + "/cmdline",
        "java\0-Xms8G\0-Xmx8G\0org.apache.cassandra.service.CassandraDaemon\0");
    return file(
        "/proc/" + pid + "/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
            + "Max processes             96365                96365                processes \n"
            + String.format("Max open files            %-20s %-20s files     %n", files, files)
            + String.format("Max locked memory         %-20s %-20s bytes     %n", locked, locked)
            + "Max address space         unlimited            unlimited            bytes     \n");
  }
}
