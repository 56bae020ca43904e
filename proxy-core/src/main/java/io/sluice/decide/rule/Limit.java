package io.sluice.decide.rule;

import java.util.Locale;

/** A limit of a rule, or its action, as the reason why a request is refused. */
public enum Limit {
  RANGE_READS("rangeReads"),
  REQUESTS_PER_SECOND("requestsPerSecond"),
  ROWS_PER_SECOND("rowsPerSecond"),
  CONNECTIONS("connections"),
  /** It is refused whatever else is under way. */
  ACTION("action");

  private final String key;

  Limit(String key) {
    this.key = key;
  }

  /** The key in a configuration file. */
  public String key() {
    return key;
  }

  /** As a meter's tag. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
