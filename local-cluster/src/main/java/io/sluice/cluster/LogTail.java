package io.sluice.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The end of a log file. */
final class LogTail {
  private static final int ENOUGH_BYTES = 256 * 1024;

  private static final Pattern TELLS_A_REASON =
      Pattern.compile("^(ERROR|FATAL|Exception|Caused by|[a-zA-Z0-9_.$]+(Exception|Error)\\b)");

  private LogTail() {}

  /** The last {@code count} lines, oldest first; empty if the file cannot be read. */
  static List<String> lines(Path log, int count) {
    return last(read(log).lines().toList(), count);
  }

  private static String withoutFrames(Path log, int count) {
    List<String> lines =
        read(log).lines().filter(l -> !l.matches("\\s+(at .*|\\.\\.\\. \\d+ .*)")).toList();
    return "  " + String.join("\n  ", last(lines, count));
  }

  /**
   * What a node that ended says of the reason: its last lines about errors and exceptions, which
   * its orderly shutdown may have buried, then its last lines of all.
   */
  static String ofAFailure(Path log, int count) {
    List<String> errors = read(log).lines().filter(l -> TELLS_A_REASON.matcher(l).find()).toList();
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
      file.seek(Math.max(0, file.length() - ENOUGH_BYTES));
      byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }
}
