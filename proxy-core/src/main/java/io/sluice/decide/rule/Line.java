package io.sluice.decide.rule;

/** The two lines in which requests wait for a rule's limits. */
public enum Line {
  /** Range reads, which also need a place among the range reads in flight. */
  RANGE_READS,
  /** All other requests. */
  OTHERS;

  /** Returns the line of a request. */
  public static Line of(boolean rangeRead) {
    return rangeRead ? RANGE_READS : OTHERS;
  }
}
