package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;

/** Opens links for the places that keep them. */
interface LinkOpener {

  /** Opens a connection and brings it to where {@code key} says. Called on {@code lane}. */
  void openReady(Lane lane, Node node, LinkKey key, LinkWaiter waiter);

  /** How long a node may take. */
  LinkConfig config();

  /** What all links to {@code node} hear of it. */
  NodePulse pulse(NodeId node);
}
