package io.sluice.evaluate;

/**
 * One load of a row of the matrix.
 *
 * @param row what is asked for
 * @param clients clients that wait for each answer; 0 in an open loop
 * @param percent requests that arrive in an open loop, in percent of what the first target can
 *     take; 0 in a closed one
 */
record Cell(Row row, int clients, int percent) {
  static Cell closed(Row row, int clients) {
    return new Cell(row, clients, 0);
  }

  static Cell open(Row row, int percent) {
    return new Cell(row, 0, percent);
  }

  /** Whether requests arrive whatever became of those before. */
  boolean isOpen() {
    return percent > 0;
  }

  /** How reports call it. */
  String load() {
    return isOpen() ? "open, " + percent + " %" : clients + (clients == 1 ? " client" : " clients");
  }
}
