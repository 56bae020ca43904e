package io.sluice.simulator.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table for a terminal: the first column is left-aligned, the others right-aligned. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table with these headings. */
  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a line, with as many cells as there are headings. */
  public void add(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException("cells: " + cells.length);
    }
    rows.add(List.of(cells));
  }

  /** Formats a number with this number of decimal places. */
  public static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** Prints the table; every column is as wide as its widest cell. */
  public void print(PrintWriter out) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String sign = column == 0 ? "-" : "";
        String cell = String.format(Locale.ROOT, "%" + sign + width(column) + "s", row.get(column));
        line.append(column == 0 ? "" : "  ").append(cell);
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElseThrow();
  }
}
