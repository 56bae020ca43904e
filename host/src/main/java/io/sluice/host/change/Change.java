package io.sluice.host.change;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of the kernel with its value before and after.
 *
 * @param path in the host's tree
 * @param before null if the file was not there
 * @param after null if only a consequence of another change can alter it
 */
public record Change(String path, @Nullable String before, @Nullable String after) {
  private static final String NONE = "-";
  private static final char SOME = '=';

  /** Whether it fits into a line. */
  static boolean fits(String value) {
    return value.indexOf('\t') < 0 && value.indexOf('\n') < 0;
  }

  /** The change as a line of a record. */
  String line() {
    return path + "\t" + cell(before) + "\t" + cell(after);
  }

  private static String cell(@Nullable String value) {
    return value == null ? NONE : SOME + value;
  }

  /** Reads such a line. */
  static Change of(String line) {
    List<String> cells = List.of(line.split("\t", -1));
    if (cells.size() != 3) {
      throw new IllegalArgumentException("no change: " + line);
    }
    return new Change(cells.get(0), value(cells.get(1)), value(cells.get(2)));
  }

  private static @Nullable String value(String cell) {
    return cell.isEmpty() || cell.charAt(0) != SOME ? null : cell.substring(1);
  }
}
