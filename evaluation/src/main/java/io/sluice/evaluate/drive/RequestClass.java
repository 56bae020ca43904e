package io.sluice.evaluate.drive;

/** The classes of requests. */
public enum RequestClass {
  /** One row by its key. */
  SINGLE("single"),
  /** Rows from a token on, up to a LIMIT. */
  RANGE("range"),
  /** One whole row. */
  WRITE("write"),
  /** Several rows by their keys. */
  LIST("IN"),
  /** Every row of a table, page after page. */
  SCAN("scan"),
  /** The number of rows of a table. */
  COUNT("count"),
  /** Every row of a partition of usual size. */
  NARROW("narrow partition"),
  /** Every row of a very large partition, page after page. */
  WIDE("wide partition");

  private final String label;

  RequestClass(String label) {
    this.label = label;
  }

  /** How reports call it. */
  public String label() {
    return label;
  }
}
