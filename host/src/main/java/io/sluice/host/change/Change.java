package io.sluice.host.change;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of the kernel with its value before and after a change.
 *
 * @param path path in the host's tree
 * @param before null if the file did not exist
 * @param after null if the file is not written, and changes only as a side effect of another write
 */
public record Change(String path, @Nullable String before, @Nullable String after) {
  private static final String NONE = "-";
  private static final char SOME = '=';

  private static final String NAME = "\\w[^/]*";

  /** All files that a command may change. A record can restore no others. */
  private static final Pattern SETTING =
      Pattern.compile(
          ("/proc/sys/vm/" + NAME)
              + ("|/sys/kernel/mm/(ksm|transparent_hugepage)/" + NAME)
              + ("|/sys/block/" + NAME + "/queue/(iosched/)?" + NAME));

  /**
   * Creates a change.
   *
   * @throws IllegalArgumentException if no command changes that file
   */
  public Change {
    if (!SETTING.matcher(path).matches()) {
      throw new IllegalArgumentException("not a setting of 'sluice host': " + path);
    }
  }

  /** Whether a value can be recorded in a line. */
  static boolean fits(String value) {
    return value.indexOf('\t') < 0 && value.indexOf('\n') < 0;
  }

  /** Returns the change as a line of a record. */
  String line() {
    return path + "\t" + cell(before) + "\t" + cell(after);
  }

  private static String cell(@Nullable String value) {
    return value == null ? NONE : SOME + value;
  }

  /** Parses a line of a record. */
  static Change of(String line) {
    List<String> cells = List.of(line.split("\t", -1));
    if (cells.size() != 3) {
      throw new IllegalArgumentException("not a recorded change: " + line);
    }
    return new Change(cells.get(0), value(cells.get(1)), value(cells.get(2)));
  }

  private static @Nullable String value(String cell) {
    return cell.isEmpty() || cell.charAt(0) != SOME ? null : cell.substring(1);
  }
}
