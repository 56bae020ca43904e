package io.sluice.evaluate.drive;

import java.util.Locale;

/** The classes of requests. */
public enum RequestClass {
  /** One row by its key. */
  SINGLE,
  /** Rows from a token on, up to a LIMIT. */
  RANGE,
  /** One whole row. */
  WRITE;

  /** How reports call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
