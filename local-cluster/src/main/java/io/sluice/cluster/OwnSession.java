package io.sluice.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sessions of the operating system. A process in a session of its own is not reached by a Ctrl-C at
 * this terminal, and where Linux groups by session, its share of the cores is as large as that of
 * any other session.
 */
public final class OwnSession {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private OwnSession() {}

  /** The command that runs {@code command} under the same process id in a session of its own. */
  public static List<String> of(List<String> command) {
    return Files.isExecutable(SETSID)
        ? Stream.concat(Stream.of(SETSID.toString()), command.stream()).toList()
        : command;
  }
}
