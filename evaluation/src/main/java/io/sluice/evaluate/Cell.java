package io.sluice.evaluate;

/**
 * One load of a row of the matrix.
 *
 * @param row requests of the load
 * @param clients closed-loop clients; 0 in an open loop
 * @param percent arrival rate in an open loop, in percent of the first target's capacity; 0 in a
 *     closed one
 */
record Cell(Row row, int clients, int percent) {
  static Cell closed(Row row, int clients) {
    return new Cell(row, clients, 0);
  }

  static Cell open(Row row, int percent) {
    return new Cell(row, 0, percent);
  }

  /** Whether requests arrive at their own rate, independent of responses. */
  boolean isOpen() {
    return percent > 0;
  }

  /** Returns the name of the load in reports. */
  String load() {
    return isOpen() ? "open, " + percent + " %" : clients + (clients == 1 ? " client" : " clients");
  }
}
