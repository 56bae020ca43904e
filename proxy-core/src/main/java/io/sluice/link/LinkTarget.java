package io.sluice.link;

/** The kind of process to which the links of a pool lead. */
public enum LinkTarget {
  /** A node. A link is used only if it leads to the host id by which the node is known. */
  NODE,
  /** Another proxy, which checks what it is sent. */
  PROXY
}
