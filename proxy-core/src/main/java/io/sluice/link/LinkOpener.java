package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;

/** Opens links for the slots that keep them. */
interface LinkOpener {

  /**
   * Opens a connection, logs it in and sets its keyspace, as {@code key} says. Called on {@code
   * lane}.
   */
  void openReady(Lane lane, Node node, LinkKey key, LinkWaiter waiter);

  /** Returns the settings, with the timeouts of nodes. */
  LinkConfig config();

  /** Returns the signs of life of {@code node} on all links. */
  NodePulse pulse(NodeId node);
}
