package io.sluice.simulator.cluster;

/** The target of clients' reads. */
interface Target {

  /** Takes an arrived read, and answers it once. */
  void send(int client, Read read, Answer answer);

  /** Reports that a node went down or came back. */
  void nodeChanged(int node, boolean up);

  /** Kills a proxy, with all its work. */
  default void proxyDies(int proxy) {}

  /** Reports a proxy's death to clients and the other proxies. */
  default void deathIsKnown(int proxy) {}

  /** Returns the range sub-requests that a node is given at once, on average; 0 without a limit. */
  double rangeSlots();
}
