package io.sluice.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A row of the matrix: what clients ask for, and how many of them there are. */
enum Row {
  POINT("point", "point reads only", "4 32* 250* 1000", false),
  WRITE("write", "writes only", "32* 250", false),
  READ_WRITE("read-write", "half point reads, half writes", "32* 250", false),
  MIX_9_1("mix91", "nine point reads to one range read, LIMIT 1 to 2,000", "4 32* 250* 1000", true),
  MIX_5_5(
      "mix55",
      "point reads and range reads, LIMIT 1 to 2,000, alike often",
      "4 32* 250* 1000",
      false),
  RANGE_10("range10", "range reads only, LIMIT 1 to 10", "4 32* 250", false),
  RANGE_2000("range2000", "range reads only, LIMIT 1 to 2,000", "4 32*", false),
  SCAN("scan", "all rows of a table, 5,000 a page", "1* 4", false),
  COUNT("count", "SELECT count(*) of a table", "1* 4", false),
  IN_2("in2", "IN of 2 keys", "32*", false),
  IN_20("in20", "IN of 20 keys", "32*", false),
  IN_200("in200", "IN of 200 keys", "32*", false),
  WIDE("wide", "all rows of one of 100 partitions, of which one is very large", "32*", false),
  SMALL_TABLES(
      "small-tables",
      "point reads and range reads, LIMIT 1 to 10, alike often, of many tables of 100 rows",
      "32 250*",
      false),
  SMALL_SCAN("small-scan", "all rows of one of many tables of 100 rows", "32*", false),
  TENANTS(
      "tenants",
      "point reads and range reads, LIMIT 1 to 10, alike often, of one role, while 64 clients of"
          + " another one ask for LIMIT 1 to 2,000; only the first role's are shown",
      "8*",
      false);

  /** Loads of open loops, in percent of what the first target can take. */
  private static final List<Integer> PERCENTS = List.of(50, 80, 150);

  private final String label;
  private final String meaning;
  private final String clients;
  private final boolean open;

  /** {@code clients}: how many, in closed loops; those with a star also in a quick run. */
  Row(String label, String meaning, String clients, boolean open) {
    this.label = label;
    this.meaning = meaning;
    this.clients = clients;
    this.open = open;
  }

  /** How options and reports call it. */
  String label() {
    return label;
  }

  /** What is asked for, in a few words. */
  String meaning() {
    return meaning;
  }

  /** Its loads, in the order in which they are measured. */
  List<Cell> cells(boolean quick) {
    List<Cell> cells = new ArrayList<>();
    for (String count : clients.split(" ", -1)) {
      boolean alsoQuick = count.endsWith("*");
      if (alsoQuick || !quick) {
        cells.add(Cell.closed(this, Integer.parseInt(count.replace("*", ""))));
      }
    }
    if (open) {
      for (int percent : PERCENTS) {
        cells.add(Cell.open(this, percent));
      }
    }
    return cells;
  }

  /** The rows of these labels, in the matrix's order; all of them, if there are none. */
  static List<Row> of(List<String> labels) {
    for (String label : labels) {
      if (Arrays.stream(values()).noneMatch(row -> row.label.equals(label.strip()))) {
        throw new IllegalArgumentException(
            "--rows: '"
                + label
                + "' is none of "
                + Arrays.stream(values()).map(Row::label).collect(Collectors.joining(", ")));
      }
    }
    return Arrays.stream(values())
        .filter(
            row -> labels.isEmpty() || labels.stream().anyMatch(l -> l.strip().equals(row.label)))
        .toList();
  }
}
