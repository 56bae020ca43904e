package io.sluice.decide;

/** The class of a read in the queues. Writes and everything else do not wait. */
public enum PriorityClass {
  /** Reads one partition, or a few named ones. */
  POINT,
  /** Reads a token range or a whole table. */
  RANGE
}
