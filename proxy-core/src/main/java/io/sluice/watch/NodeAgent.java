package io.sluice.watch;

/** The state of the agent in a node, as far as the proxy knows it. */
public enum NodeAgent {
  /** The node has no agent, or none that reports. */
  ABSENT,
  /** The agent is switched off: the node runs reads in the order in which they arrive. */
  OFF,
  /** The agent orders the node's read stage. */
  ORDERS
}
