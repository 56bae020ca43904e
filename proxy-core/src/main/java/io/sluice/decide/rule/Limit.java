package io.sluice.decide.rule;

import java.util.Locale;

/** A limit of a rule, or its action, as the reason for a refusal. */
public enum Limit {
  RANGE_READS("rangeReads"),
  REQUESTS_PER_SECOND("requestsPerSecond"),
  ROWS_PER_SECOND("rowsPerSecond"),
  CONNECTIONS("connections"),
  /** The rule refuses the request regardless of load. */
  ACTION("action");

  private final String key;

  Limit(String key) {
    this.key = key;
  }

  /** Returns the key in a configuration file. */
  public String key() {
    return key;
  }

  /** Returns the value of a meter's tag. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
