package io.sluice.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts processes in their own session of the operating system. Ctrl-C at this terminal does not
 * reach them. If Linux groups by session, each session gets an equal share of the cores.
 */
public final class OwnSession {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private OwnSession() {}

  /** Returns a command that runs {@code command} in its own session, under the same process id. */
  public static List<String> of(List<String> command) {
    return Files.isExecutable(SETSID)
        ? Stream.concat(Stream.of(SETSID.toString()), command.stream()).toList()
        : command;
  }
}
