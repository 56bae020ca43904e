package io.sluice.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The processor time of the process that listens at an address of this machine, read from /proc.
 */
final class ProcessorTime {
  /** The kernel's USER_HZ, which is 100 on every architecture that the JDK supports. */
  private static final double TICKS_A_SECOND = 100;

  private static final String LISTENS = "0A";

  private final Path proc;
  private final long pid;

  private ProcessorTime(Path proc, long pid) {
    this.proc = proc;
    this.pid = pid;
  }

  /**
   * Finds the process that listens at an address. If it cannot be found, {@link #seconds} returns
   * 0.
   */
  static ProcessorTime of(InetSocketAddress listener, Path proc) {
    try {
      return new ProcessorTime(proc, pid(sockets(listener, proc), proc));
    } catch (IOException e) {
      return new ProcessorTime(proc, 0);
    }
  }

  /** Whether the process was found. */
  boolean isKnown() {
    return pid > 0;
  }

  /**
   * Returns the process's seconds on all processors since its start, kernel time included; 0 if the
   * process is unknown.
   */
  double seconds() throws IOException {
    if (!isKnown()) {
      return 0;
    }
    String stat = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.UTF_8);
    // The process name, the second field, is in parentheses and may contain blanks. The fields
    // utime and stime are the 14th and 15th.
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) / TICKS_A_SECOND;
  }

  /**
   * Returns the inodes of the sockets that listen at this address, or at its port of all addresses.
   */
  private static Set<String> sockets(InetSocketAddress listener, Path proc) throws IOException {
    Set<String> inodes = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(proc.resolve(table), StandardCharsets.UTF_8)) {
        String[] fields = line.strip().split(" +", -1);
        if (fields.length > 9 && fields[3].equals(LISTENS) && matches(fields[1], listener)) {
          inodes.add("socket:[" + fields[9] + "]");
        }
      }
    }
    return inodes;
  }

  private static boolean matches(String local, InetSocketAddress listener) {
    int colon = local.indexOf(':');
    String address = local.substring(0, colon);
    return Integer.parseInt(local.substring(colon + 1), 16) == listener.getPort()
        && (address.matches("0+") || address.endsWith(lastWord(listener)));
  }

  /**
   * Returns the last four bytes of an address as /proc prints them, in the byte order of the
   * machine.
   */
  private static String lastWord(InetSocketAddress listener) {
    byte[] bytes = listener.getAddress().getAddress();
    byte[] word = new byte[4];
    for (int i = 0; i < word.length; i++) {
      word[i] = bytes[bytes.length - 1 - i];
    }
    return HexFormat.of().formatHex(word).toUpperCase(Locale.ROOT);
  }

  private static long pid(Set<String> inodes, Path proc) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (hasAnySocket(process, inodes)) {
          return Long.parseLong(process.getFileName().toString());
        }
      }
    }
    return 0;
  }

  private static boolean hasAnySocket(Path process, Set<String> inodes) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (inodes.contains(Files.readSymbolicLink(file).toString())) {
          return true;
        }
      }
    } catch (IOException e) {
      // The process has ended or belongs to another user.
    }
    return false;
  }
}
