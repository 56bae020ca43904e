package io.sluice.server.tool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that {@code top} shows below the nodes.
 *
 * @param name the name of the table of {@code system_proxy}
 * @param defaultSort the default sort column
 * @param columns the shown columns
 */
record TopTable(String name, String defaultSort, List<String> columns) {

  /** Requests in flight. */
  static final TopTable REQUESTS =
      new TopTable(
          "requests",
          "running_ms",
          List.of(
              "id",
              "role",
              "class",
              "keyspace_name",
              "table_name",
              "state",
              "running_ms",
              "waited_ms",
              "pieces_done",
              "pieces",
              "rows",
              "estimated_left_ms",
              "application"));

  /** Statements since the start. */
  static final TopTable STATEMENTS =
      new TopTable(
          "statements",
          "total_ms",
          List.of(
              "role",
              "calls",
              "total_ms",
              "mean_ms",
              "p99_ms",
              "queue_ms",
              "rows",
              "errors",
              "text"));

  private static final List<String> TEXTS =
      List.of("application", "role", "class", "keyspace_name", "table_name", "state", "text");

  /**
   * Returns the SELECT for the first rows: the largest numbers, or texts from A to Z.
   *
   * @param sort one of its columns; null for the default
   * @throws IllegalArgumentException when the table has no such column
   */
  String select(@Nullable String sort, int rows) {
    String by = sort == null ? defaultSort : sort;
    if (!columns.contains(by)) {
      throw new IllegalArgumentException(
          "--sort: " + by + " is not a column of the table; it has " + String.join(", ", columns));
    }
    return "SELECT "
        + String.join(", ", columns)
        + " FROM system_proxy."
        + name
        + " ORDER BY "
        + by
        + (TEXTS.contains(by) ? " ASC" : " DESC")
        + " LIMIT "
        + Math.max(1, rows);
  }
}
