package io.sluice.torture.check;

/** The number of replicas that a read needs. */
public enum Level {
  /** A majority. It has every write that a majority has acknowledged. */
  QUORUM,
  /**
   * Any one replica. It may lack all writes except the first, which all replicas have acknowledged.
   */
  ONE
}
