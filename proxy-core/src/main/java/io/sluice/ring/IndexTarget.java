package io.sluice.ring;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The target of an index, as {@code system_schema.indexes} and CREATE INDEX write it. */
public final class IndexTarget {

  private static final Pattern NAME = Pattern.compile("\"((?:[^\"]|\"\")+)\"|(\\w+)");

  private IndexTarget() {}

  /**
   * Returns the columns of a target such as {@code v}, {@code "V"} or {@code values(m)}, as stored.
   * The names of the functions are among them: an index too many costs time, never rows.
   */
  public static Set<String> columns(String target) {
    Set<String> columns = new HashSet<>();
    Matcher names = NAME.matcher(target);
    while (names.find()) {
      String quoted = names.group(1);
      columns.add(quoted == null ? names.group(2) : quoted.replace("\"\"", "\""));
    }
    return columns;
  }
}
