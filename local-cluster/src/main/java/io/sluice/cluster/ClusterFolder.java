package io.sluice.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The folder of a cluster: never taken from another owner, removed without a trace. */
final class ClusterFolder {
  private ClusterFolder() {}

  /** Throws a failure if the folder holds files that no cluster of ours has put there. */
  static void requireOurs(Path dir) {
    if (!Files.isDirectory(dir) || ClusterState.exists(dir)) {
      return;
    }
    try (Stream<Path> files = Files.list(dir)) {
      if (files.findAny().isPresent()) {
        throw new ClusterFailure(
            dir + " holds files that are not a local cluster's; choose another --dir");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the folder, and the {@code .sluice} folder around it if nothing else is in it. */
  static void remove(Path dir) {
    try {
      if (Files.exists(dir)) {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(dir)) {
          files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
      Path around = dir.getParent();
      if (around != null && around.endsWith(".sluice") && Files.exists(around) && isEmpty(around)) {
        Files.delete(around);
      }
    } catch (IOException e) {
      throw new ClusterFailure("cannot remove " + dir + ": " + e.getMessage(), e);
    }
  }

  private static boolean isEmpty(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.findAny().isEmpty();
    }
  }
}
