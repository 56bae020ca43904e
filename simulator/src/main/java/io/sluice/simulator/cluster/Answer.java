package io.sluice.simulator.cluster;

/** The receiver of the one answer to a client's read. */
interface Answer {

  /** It was answered in full, with so many rows. */
  void rows(long count);

  /** It was not. */
  void failed(Failure failure);
}
