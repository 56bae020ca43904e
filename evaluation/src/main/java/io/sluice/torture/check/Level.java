package io.sluice.torture.check;

/** The number of replicas that a read asks. */
public enum Level {
  /** A majority, which has every write that a majority has acknowledged. */
  QUORUM,
  /** Any one, which may lack all writes but the first, which all replicas have acknowledged. */
  ONE
}
