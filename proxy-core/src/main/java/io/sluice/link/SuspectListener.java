package io.sluice.link;

import io.sluice.ring.NodeId;

/**
 * A listener for nodes that become silent on all links or are heard again. May be called from any
 * thread, and twice with the same state.
 */
public interface SuspectListener {

  void suspect(NodeId node, boolean suspect);
}
