package io.sluice.it.cluster;

/** A thing that can be done to a cluster; a test names those it needs. */
public enum Capability {
  /** A node can be ended, at once or in order, and started again. */
  KILL,
  /** A node can be frozen with its connections open. */
  PAUSE,
  /** A node can be cut off from the others and from the proxy. */
  PARTITION,
  /** A node can be told to flush and to count its estimates anew. */
  JMX,
  /** The proxy runs in this JVM, where its memory can be looked at. */
  IN_PROCESS_PROXY,
  /** Containers of the test's own can be started beside it. */
  CONTAINERS,
  /** Nodes that ask for a password can be had. */
  AUTH,
  /** Nodes with the node agent in them can be had. */
  AGENT
}
