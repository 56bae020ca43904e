package io.sluice.simulator.cluster;

/** The receiver of the one answer to a client's read. */
interface Answer {

  /** Receives the rows of a complete answer. */
  void rows(long count);

  /** Receives a failure. */
  void failed(Failure failure);
}
