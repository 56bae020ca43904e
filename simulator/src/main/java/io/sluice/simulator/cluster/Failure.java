package io.sluice.simulator.cluster;

/** The reason why a client's read failed. */
public enum Failure {
  /** The read timed out. */
  TIMEOUT,
  /** The proxy refused it because of a backlog. */
  OVERLOADED,
  /** No owner of the rows was up, or the coordinator was lost. */
  UNAVAILABLE
}
