package io.sluice.host.kernel;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A copied tree that reacts to writes like a kernel: with side effects and refusals. It can be
 * killed after any number of writes.
 */
public final class ModelKernel implements HostTree {
  private static final String VM = "/proc/sys/vm/";
  private static final String KSM = "/sys/kernel/mm/ksm/";
  private static final String HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled";

  /** The least free memory with huge pages. */
  private static final long FREE_KB_FOR_HUGE_PAGES = 67584;

  private static final Map<String, Map<String, String>> TUNABLES =
      Map.of(
          "mq-deadline", Map.of("read_expire", "500", "fifo_batch", "16", "front_merges", "1"),
          "bfq",
              Map.of(
                  "low_latency", "1",
                  "slice_idle", "8",
                  "slice_idle_us", "8000",
                  "timeout_sync", "124",
                  "fifo_expire_sync", "125",
                  "fifo_expire_async", "250"),
          "kyber", Map.of("read_lat_nsec", "2000000"),
          "none", Map.of());

  private final Folder folder;
  private final HostTree files;
  private int writesLeft;
  private String unreadable = "";

  /** Creates a kernel without a kill. */
  public ModelKernel(Folder folder) {
    this(folder, Integer.MAX_VALUE);
  }

  /** Creates a kernel under a command that is killed after {@code writes} writes. */
  public ModelKernel(Folder folder, int writes) {
    this.folder = folder;
    this.files = HostTree.at(folder.root());
    this.writesLeft = writes;
  }

  /** Thrown to simulate the kill of the process. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Lets reads of that file fail from now on. */
  public ModelKernel unreadable(String path) {
    unreadable = path;
    return this;
  }

  private void count() {
    if (writesLeft-- == 0) {
      throw new Killed();
    }
  }

  /** Gives each disk the tunables of its scheduler. */
  public ModelKernel boot() throws IOException {
    for (String device : list("/sys/block")) {
      String queue = "/sys/block/" + device + "/queue";
      if (read(queue + "/scheduler").isPresent()) {
        tunables(queue, KernelValue.of(read(queue + "/scheduler").get()));
      }
    }
    return this;
  }

  private void tunables(String queue, String scheduler) throws IOException {
    Path iosched = folder.root().resolve(queue.substring(1)).resolve("iosched");
    if (Files.isDirectory(iosched)) {
      try (Stream<Path> old = Files.walk(iosched)) {
        for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    TUNABLES
        .getOrDefault(scheduler, Map.of())
        .forEach((name, value) -> folder.file(queue + "/iosched/" + name, value + "\n"));
  }

  @Override
  public void write(String path, String value) throws IOException {
    count();
    if (path.matches(VM + "dirty_(background_)?bytes") && value.equals("0")) {
      throw new IOException("Invalid argument");
    }
    if (path.equals(KSM + "pages_to_scan")
        && KernelValue.of(read(KSM + "advisor_mode").orElse("none")).equals("scan-time")) {
      throw new IOException("Invalid argument");
    }
    String before = KernelValue.of(read(path).orElse(""));
    files.write(path, value);
    if (before.equals(value)) {
      return;
    }
    if (path.matches(VM + "dirty_(background_)?(bytes|ratio)")) {
      String other =
          path.endsWith("bytes") ? path.replace("bytes", "ratio") : path.replace("ratio", "bytes");
      files.write(other, "0");
    } else if (path.equals(KSM + "advisor_mode") && value.equals("scan-time")) {
      files.write(KSM + "pages_to_scan", "500");
    } else if (path.equals(HUGE_PAGES) && !value.equals("never")) {
      raiseFreeMemory();
    } else if (path.endsWith("/slice_idle")) {
      files.write(path + "_us", Integer.toString(1000 * Integer.parseInt(value)));
    } else if (path.endsWith("/slice_idle_us")) {
      files.write(path.replace("_us", ""), Integer.toString(Integer.parseInt(value) / 1000));
    } else if (path.endsWith("/queue/scheduler")) {
      String queue = path.replace("/scheduler", "");
      tunables(queue, value);
      files.write(queue + "/nr_requests", value.equals("none") ? "128" : "256");
      files.write(queue + "/wbt_lat_usec", value.equals("bfq") ? "0" : "75000");
    }
  }

  /** Raises the memory that is kept free to what huge pages need. No other write lowers it. */
  private void raiseFreeMemory() throws IOException {
    String path = VM + "min_free_kbytes";
    if (Long.parseLong(read(path).orElse("").strip()) < FREE_KB_FOR_HUGE_PAGES) {
      files.write(path, Long.toString(FREE_KB_FOR_HUGE_PAGES));
    }
  }

  @Override
  public void replace(String path, String text) throws IOException {
    if (writesLeft == 0) {
      // The kill comes before the complete file gets its name.
      folder.file(path + ".new", text.substring(0, text.length() / 2));
    }
    count();
    // Without the real implementation: syncs for thousands of kills would take minutes.
    folder.file(path, text);
    Files.setPosixFilePermissions(
        folder.root().resolve(path.substring(1)), PosixFilePermissions.fromString("rw-------"));
  }

  @Override
  public void checkOwn(String path) throws IOException {
    files.checkOwn(path);
  }

  @Override
  public void delete(String path) throws IOException {
    count();
    Files.delete(folder.root().resolve(path.substring(1)));
  }

  @Override
  public Optional<String> read(String path) throws IOException {
    if (path.equals(unreadable)) {
      throw new IOException(path + ": Input/output error");
    }
    return files.read(path);
  }

  @Override
  public List<String> list(String path) throws IOException {
    return files.list(path);
  }

  @Override
  public boolean writable(String path) {
    return files.writable(path);
  }

  @Override
  public Closeable lock(String path) throws IOException {
    return files.lock(path);
  }

  @Override
  public Bytes open(String path) throws IOException {
    return files.open(path);
  }
}
