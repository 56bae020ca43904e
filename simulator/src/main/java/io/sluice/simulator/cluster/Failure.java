package io.sluice.simulator.cluster;

/** The reason why a client's read failed. */
public enum Failure {
  /** It took too long. */
  TIMEOUT,
  /** The proxy refused it because of a backlog. */
  OVERLOADED,
  /** No owner of the rows was there, or the coordinator was lost. */
  UNAVAILABLE
}
