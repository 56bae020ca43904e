package io.sluice.it.cluster;

/** An operation on a cluster that a test may need. */
public enum Capability {
  /** Kill or stop a node, and start it again. */
  KILL,
  /** Pause a node with its connections open. */
  PAUSE,
  /** Cut a node off from the others and from the proxy. */
  PARTITION,
  /** Let a node flush and refresh its size estimates. */
  JMX,
  /** Run the proxy in this JVM, where its memory can be read. */
  IN_PROCESS_PROXY,
  /** Start containers of the test's own beside the cluster. */
  CONTAINERS,
  /** Start nodes that require a login. */
  AUTH,
  /** Start nodes with the node agent. */
  AGENT
}
