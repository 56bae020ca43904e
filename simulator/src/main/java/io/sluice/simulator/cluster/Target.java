package io.sluice.simulator.cluster;

/** The target of clients' reads. */
interface Target {

  /** Takes a read that has arrived, and answers it once. */
  void send(int client, Read read, Answer answer);

  /** A node went down or came back. */
  void nodeChanged(int node, boolean up);

  /** Range sub-requests that a node is given at once, on average; 0 without a limit. */
  double rangeSlots();
}
