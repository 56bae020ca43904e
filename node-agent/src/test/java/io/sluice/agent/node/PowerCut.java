package io.sluice.agent.node;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Removes from a process's files the data that a disk might have lost by a power cut at the end of
 * the process. Needs strace.
 */
final class PowerCut {
  private static final String CALLS =
      "openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,fallocate,fsync,fdatasync,"
          + "rename,renameat,renameat2,unlink,unlinkat";

  private final Process strace;
  private final Path trace;

  private PowerCut(Process strace, Path trace) {
    this.strace = strace;
    this.trace = trace;
  }

  static boolean isPossible() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(each -> Files.isExecutable(Path.of(each, "strace")));
  }

  /** Follows a process from now on. */
  static PowerCut of(long pid, Path trace) throws IOException {
    Process strace =
        new ProcessBuilder(
                "strace",
                "-f",
                "-y",
                "-s",
                "0",
                "-e",
                "trace=" + CALLS,
                "-o",
                trace.toString(),
                "-p",
                Long.toString(pid))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await().atMost(Duration.ofSeconds(30)).until(() -> isTraced(pid));
    return new PowerCut(strace, trace);
  }

  private static boolean isTraced(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .anyMatch(line -> line.matches("TracerPid:\\s+[1-9][0-9]*"));
  }

  /**
   * Removes unsynced data after the process has ended. In these folders, each file loses all or the
   * second half of the data written since its last sync, or sometimes nothing. Of the files whose
   * names were not synced, one in four is deleted. Returns the number of changed files.
   */
  int take(List<Path> folders, Random random) throws Exception {
    if (!strace.waitFor(60, TimeUnit.SECONDS)) {
      strace.destroyForcibly();
      throw new IllegalStateException("strace does not end with its process");
    }
    UnsyncedFiles files = new UnsyncedFiles();
    try (Stream<String> lines = Files.lines(trace)) {
      lines.forEach(files::line);
    }
    Files.delete(trace);
    int changed = 0;
    for (Map.Entry<String, Long> each : files.unsynced().entrySet()) {
      Path file = Path.of(each.getKey());
      if (isIn(folders, file) && Files.exists(file) && random.nextInt(8) != 0) {
        try (RandomAccessFile contents = new RandomAccessFile(file.toFile(), "rw")) {
          long left = Math.max(0, contents.length() - each.getValue());
          contents.setLength(each.getValue() + (random.nextBoolean() ? 0 : left / 2));
        }
        changed++;
      }
    }
    for (String each : new TreeSet<>(files.unnamed())) {
      if (isIn(folders, Path.of(each)) && random.nextInt(4) == 0) {
        changed += Files.deleteIfExists(Path.of(each)) ? 1 : 0;
      }
    }
    return changed;
  }

  private static boolean isIn(List<Path> folders, Path file) {
    return folders.stream().anyMatch(file::startsWith);
  }
}
