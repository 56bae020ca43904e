package io.sluice.decide;

/** What a read waits as. Writes and everything else do not wait. */
public enum PriorityClass {
  /** Reads one partition, or a few named ones. */
  POINT,
  /** Reads a token range or a whole table. */
  RANGE
}
