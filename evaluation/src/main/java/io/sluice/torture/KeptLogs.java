package io.sluice.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** Copies the logs of nodes, whose folders are removed at the end, beside a report. */
final class KeptLogs {
  private KeptLogs() {}

  /**
   * Copies logs to a folder, each with the name of its node. The log of a node that has left and
   * whose folder is gone is left out.
   */
  static void copy(List<Path> logs, Path folder) throws IOException {
    for (Path log : logs) {
      if (Files.exists(log)) {
        Path node = Objects.requireNonNull(log.toAbsolutePath().getParent());
        Files.copy(
            log, folder.resolve(node.getFileName() + ".log"), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
