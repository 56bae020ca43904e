package io.sluice.evaluate.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The script that starts the nodes. It can add arguments to the JVM of the next node.
 *
 * @param file path of the script
 */
record LaunchScript(Path file) {
  /** Returns the script as the prefix of a cluster's commands. */
  List<String> prefix() {
    return List.of(file.toString());
  }

  /** Writes the script so that each JVM started from now on gets these arguments before its own. */
  void with(List<String> arguments) {
    StringBuilder script = new StringBuilder("#!/bin/sh\njava=$1\nshift\nexec \"$java\"");
    arguments.forEach(each -> script.append(" '").append(each).append('\''));
    try {
      Files.createDirectories(file.resolveSibling(""));
      Files.writeString(file, script.append(" \"$@\"\n"));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
