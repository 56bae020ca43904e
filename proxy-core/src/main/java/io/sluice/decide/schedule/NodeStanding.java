package io.sluice.decide.schedule;

/** A degree of preference of a node to others; the first is preferred most. */
public enum NodeStanding {
  /** Reads go to it. */
  NORMAL,
  /** An operator wants reads to go elsewhere where they can. */
  AVOIDED,
  /** It is believed not to answer. */
  SUSPECT;

  /** Whether a read rather goes to a node of this standing than to one of the other. */
  boolean isBetterThan(NodeStanding other) {
    return compareTo(other) < 0;
  }
}
