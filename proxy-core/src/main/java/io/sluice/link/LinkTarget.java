package io.sluice.link;

/** What the links of a pool lead to. */
public enum LinkTarget {
  /** A node. A link is used only if it leads to the host id by which the node is known. */
  NODE,
  /** Another proxy, which checks what it is sent. */
  PROXY
}
