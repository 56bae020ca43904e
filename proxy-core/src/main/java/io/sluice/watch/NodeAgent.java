package io.sluice.watch;

/** Sluice's agent inside a node, as far as the proxy has heard of it. */
public enum NodeAgent {
  /** There is none, or none that says so. */
  ABSENT,
  /** It is there, but the node runs reads in the order they come. */
  OFF,
  /** The node's read stage is ordered. */
  ORDERS
}
