package io.sluice.host.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The signals for which a process has a handler.
 *
 * @param mask the bit {@code n - 1} is set if it handles signal {@code n}
 */
record CaughtSignals(long mask) {
  /** The number of SIGQUIT. */
  static final int QUIT = 3;

  private static final String FIELD = "SigCgt:";

  /**
   * Reads the signals that a process of this host handles now.
   *
   * @throws IOException if there is no such process
   */
  static CaughtSignals of(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status"), UTF_8));
  }

  /** Parses the kernel's status of a process. */
  static CaughtSignals parse(String status) throws IOException {
    String mask =
        status
            .lines()
            .filter(line -> line.startsWith(FIELD))
            .map(line -> line.substring(FIELD.length()).strip())
            .findFirst()
            .orElseThrow(() -> new IOException("the status of a process has no " + FIELD));
    try {
      return new CaughtSignals(Long.parseUnsignedLong(mask, 16));
    } catch (NumberFormatException e) {
      throw new IOException("not a mask of signals: " + mask, e);
    }
  }

  /** Whether the process handles the signal with that number. */
  boolean contains(int signal) {
    return (mask >>> (signal - 1) & 1) == 1;
  }
}
