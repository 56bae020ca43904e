package io.sluice.simulator.cluster;

/** Where the one answer to a client's read goes. */
interface Answer {

  /** It was answered in full, with so many rows. */
  void rows(long count);

  /** It was not. */
  void failed(Failure failure);
}
