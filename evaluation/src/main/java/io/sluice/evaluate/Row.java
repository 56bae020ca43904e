package io.sluice.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A row of the matrix: a kind of requests, and the numbers of clients that send them. */
enum Row {
  POINT("point", "point reads only", "4 32* 250* 1000", false),
  WRITE("write", "writes only", "32* 250", false),
  READ_WRITE("read-write", "half point reads, half writes", "32* 250", false),
  MIX_9_1("mix91", "nine point reads to one range read, LIMIT 1 to 2,000", "4 32* 250* 1000", true),
  MIX_5_5(
      "mix55", "half point reads, half range reads, LIMIT 1 to 2,000", "4 32* 250* 1000", false),
  RANGE_10("range10", "range reads only, LIMIT 1 to 10", "4 32* 250", false),
  RANGE_2000("range2000", "range reads only, LIMIT 1 to 2,000", "4 32*", false),
  SCAN("scan", "all rows of a table, 5,000 a page", "1* 4", false),
  COUNT("count", "SELECT count(*) of a table", "1* 4", false),
  IN_2("in2", "IN of 2 keys", "32*", false),
  IN_20("in20", "IN of 20 keys", "32*", false),
  IN_200("in200", "IN of 200 keys", "32*", false),
  WIDE("wide", "all rows of one of 100 partitions; one of these is very large", "32*", false),
  SMALL_TABLES(
      "small-tables",
      "half point reads, half range reads, LIMIT 1 to 10, from many tables of 100 rows",
      "32 250*",
      false),
  SMALL_SCAN("small-scan", "all rows of one of many tables of 100 rows", "32*", false),
  TENANTS(
      "tenants",
      "half point reads, half range reads, LIMIT 1 to 10, from one role, while 64 clients of"
          + " another role use LIMIT 1 to 2,000, which is a load of its own in the report",
      "8*",
      false);

  /** Arrival rates of the open loops, in percent of the first target's capacity. */
  private static final List<Integer> PERCENTS = List.of(50, 80, 150);

  private final String label;
  private final String meaning;
  private final String clients;
  private final boolean open;

  /**
   * Creates a row. {@code clients} lists numbers of closed-loop clients; a star marks those of a
   * quick run.
   */
  Row(String label, String meaning, String clients, boolean open) {
    this.label = label;
    this.meaning = meaning;
    this.clients = clients;
    this.open = open;
  }

  /** Returns the name of the row in options and reports. */
  String label() {
    return label;
  }

  /** Returns a short description of the requests. */
  String meaning() {
    return meaning;
  }

  /** Returns the row's loads, in the order of measurement. */
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

  /**
   * Returns the rows with these labels, in the order of the matrix; all rows if there are no
   * labels.
   */
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
