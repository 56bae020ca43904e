package io.sluice.server.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A table as text. Each column is as wide as its widest cell; numbers are right-aligned.
 *
 * @param columns the column heads
 * @param rows the cells: numbers, or objects whose text is shown; each row as long as {@code
 *     columns}
 */
record TextTable(List<String> columns, List<List<Object>> rows) {

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the lines, the head first. */
  List<String> lines() {
    List<List<String>> all = new ArrayList<>();
    all.add(columns.stream().map(head -> head.toUpperCase(Locale.ROOT)).toList());
    rows.forEach(row -> all.add(row.stream().map(TextTable::text).toList()));
    int[] widths = new int[columns.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return all.stream().map(row -> line(row, widths)).toList();
  }

  /** Returns a cell's text without control characters: a client chooses its application's name. */
  private static String text(Object cell) {
    return cell instanceof Double number
        ? String.format(Locale.ROOT, "%.1f", number)
        : CONTROL.matcher(String.valueOf(cell)).replaceAll("?");
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String pad = " ".repeat(widths[i] - row.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(isNumeric(i) ? pad + row.get(i) : row.get(i) + pad);
    }
    return line.toString().stripTrailing();
  }

  private boolean isNumeric(int column) {
    return rows.stream().anyMatch(row -> row.get(column) instanceof Number);
  }
}
