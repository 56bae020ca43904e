package io.sluice.evaluate.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The program through which nodes are started, which can give the next one further arguments.
 *
 * @param file where it is
 */
record LaunchScript(Path file) {
  /** As the prefix of a cluster. */
  List<String> prefix() {
    return List.of(file.toString());
  }

  /** From now on each node's JVM gets these arguments before its own. */
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
