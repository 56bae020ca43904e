package io.sluice.link;

import io.sluice.ring.NodeId;

/**
 * Told when a node goes silent on all links, and when it is heard again; the same may be told
 * twice. Any thread.
 */
public interface SuspectListener {

  void suspect(NodeId node, boolean suspect);
}
