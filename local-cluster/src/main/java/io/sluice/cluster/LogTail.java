package io.sluice.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the end of a log file. Stateless. */
final class LogTail {
  private static final int MAX_BYTES = 256 * 1024;

  private static final Pattern ERROR_LINE =
      Pattern.compile("^(ERROR|FATAL|Exception|Caused by|[a-zA-Z0-9_.$]+(Exception|Error)\\b)");

  private LogTail() {}

  /**
   * Returns the last {@code count} lines, oldest first; a line with the error if the file cannot be
   * read.
   */
  static List<String> lines(Path log, int count) {
    return last(read(log).lines().toList(), count);
  }

  private static String withoutFrames(Path log, int count) {
    List<String> lines =
        read(log).lines().filter(l -> !l.matches("\\s+(at .*|\\.\\.\\. \\d+ .*)")).toList();
    return "  " + String.join("\n  ", last(lines, count));
  }

  /**
   * Returns the log of a failed node: its last lines about errors and exceptions, which its orderly
   * shutdown may have buried, and then its last lines.
   */
  static String ofAFailure(Path log, int count) {
    List<String> errors = read(log).lines().filter(l -> ERROR_LINE.matcher(l).find()).toList();
    String end = withoutFrames(log, count);
    return errors.isEmpty()
        ? end
        : "  " + String.join("\n  ", last(errors, count / 2)) + "\n  ...\n" + end;
  }

  private static List<String> last(List<String> lines, int count) {
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  private static String read(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - MAX_BYTES));
      byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }
}
