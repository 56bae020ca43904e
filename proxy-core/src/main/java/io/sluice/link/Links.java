package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.time.Lane;

/** The source of links to nodes. Safe for any thread. */
@FunctionalInterface
public interface Links {

  /**
   * Provides a link that is ready for requests, at once if one is open. Called on {@code lane},
   * where {@code waiter} is called too. A failure is reported after this method has returned.
   */
  void acquire(Lane lane, Node node, LinkKey key, LinkWaiter waiter);
}
