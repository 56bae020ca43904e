package io.sluice.decide;

/** The class of a read in the queues. Writes and all other requests do not wait. */
public enum PriorityClass {
  /** A read of one partition, or of a few named ones. */
  POINT,
  /** A read of a token range or of a whole table. */
  RANGE
}
