package io.sluice.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file. */
final class LogTail {
  private static final int ENOUGH_BYTES = 256 * 1024;

  private LogTail() {}

  /** The last {@code count} lines, oldest first; empty if the file cannot be read. */
  static List<String> lines(Path log, int count) {
    return last(read(log).lines().toList(), count);
  }

  /** The same without the stack traces between the lines, for a person in a hurry. */
  static String withoutFrames(Path log, int count) {
    List<String> lines =
        read(log).lines().filter(l -> !l.matches("\\s+(at .*|\\.\\.\\. \\d+ .*)")).toList();
    return "  " + String.join("\n  ", last(lines, count));
  }

  private static List<String> last(List<String> lines, int count) {
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  private static String read(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - ENOUGH_BYTES));
      byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }
}
