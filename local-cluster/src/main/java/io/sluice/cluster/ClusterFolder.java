package io.sluice.cluster;

import io.sluice.command.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Operations on the folder of a cluster. A folder with other files is never used or removed.
 * Stateless.
 */
final class ClusterFolder {
  private ClusterFolder() {}

  /** Throws a failure if the path is a file or a link, or a folder with other files. */
  static void requireOurs(Path dir) {
    if (ClusterState.exists(dir) || !Files.exists(dir, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      String what = Files.isSymbolicLink(dir) ? " is a link" : " is a file";
      throw new ClusterFailure(dir + what + "; choose another --dir");
    }
    try (Stream<Path> files = Files.list(dir)) {
      if (files.findAny().isPresent()) {
        throw new ClusterFailure(
            dir + " contains files other than a local cluster; choose another --dir");
      }
    } catch (IOException e) {
      throw new ClusterFailure(
          "cannot read " + dir + ": " + FileFailure.reason(e) + "; choose another --dir", e);
    }
  }

  /** Deletes the folder, and the {@code .sluice} folder around it if that is then empty. */
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
      Path parent = dir.getParent();
      if (parent != null && parent.endsWith(".sluice") && Files.exists(parent) && isEmpty(parent)) {
        Files.delete(parent);
      }
    } catch (IOException e) {
      throw new ClusterFailure("cannot remove " + dir + ": " + FileFailure.reason(e), e);
    }
  }

  private static boolean isEmpty(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.findAny().isEmpty();
    }
  }
}
