package io.sluice.link;

import io.sluice.ring.NodeId;

/** Told when a node goes silent on a link, and when it is heard again. Any thread. */
public interface SuspectListener {

  void suspect(NodeId node, boolean suspect);
}
