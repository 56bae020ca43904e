package io.sluice.simulator.cluster;

/** The target of clients' reads. */
interface Target {

  /** Takes a read that has arrived, and answers it once. */
  void send(int client, Read read, Answer answer);

  /** A node went down or came back. */
  void nodeChanged(int node, boolean up);

  /** A proxy dies: whatever it has to do is not done. */
  default void proxyDies(int proxy) {}

  /** Clients and the other proxies learn of it. */
  default void deathIsKnown(int proxy) {}

  /** Range sub-requests that a node is given at once, on average; 0 without a limit. */
  double rangeSlots();
}
