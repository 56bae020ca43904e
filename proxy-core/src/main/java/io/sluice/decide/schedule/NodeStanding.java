package io.sluice.decide.schedule;

/** A level of preference of a node over others; the first constant is preferred most. */
public enum NodeStanding {
  /** Reads go to the node. */
  NORMAL,
  /** An operator wants reads to go to other nodes where possible. */
  AVOIDED,
  /** The node probably does not answer. */
  SUSPECT;

  /** Whether a node of this standing is preferred to one of the other. */
  boolean isBetterThan(NodeStanding other) {
    return compareTo(other) < 0;
  }
}
