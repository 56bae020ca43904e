package io.sluice.it;

import io.sluice.server.SluiceServer;
import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A program that starts the proxy with the classes of the tests. */
final class Launcher {

  private Launcher() {}

  /** Writes the program into a folder. */
  static Path in(Path folder) throws IOException {
    return in(folder, "launcher", List.of());
  }

  /** The same under another name, and after the start of a command line. */
  static Path in(Path folder, String name, List<String> start) throws IOException {
    List<String> command = new ArrayList<>(start);
    command.addAll(SpawnedCommand.builder(SluiceServer.class).command());
    return write(folder.resolve(name), command);
  }

  /** The same as {@link #in(Path)} with all compilers of the JVM, for measurements. */
  static Path optimized(Path folder) throws IOException {
    return write(
        folder.resolve("launcher"), SpawnedCommand.optimizedBuilder(SluiceServer.class).command());
  }

  private static Path write(Path file, List<String> command) throws IOException {
    String quoted = "'" + String.join("' '", command) + "'";
    Files.writeString(file, "#!/usr/bin/env bash\nexec " + quoted + " \"$@\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
