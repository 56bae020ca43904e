package io.sluice.evaluate.drive;

/** A class of requests. */
public enum RequestClass {
  /** Reads one row by its key. */
  SINGLE("single"),
  /** Reads rows from a token on, up to a LIMIT. */
  RANGE("range"),
  /** Writes one whole row. */
  WRITE("write"),
  /** Reads several rows by their keys. */
  LIST("IN"),
  /** Reads all rows of a table, page by page. */
  SCAN("scan"),
  /** Counts the rows of a table. */
  COUNT("count"),
  /** Reads all rows of an ordinary partition. */
  NARROW("narrow partition"),
  /** Reads all rows of a very large partition, page by page. */
  WIDE("wide partition");

  private final String label;

  RequestClass(String label) {
    this.label = label;
  }

  /** Returns the name in reports. */
  public String label() {
    return label;
  }
}
