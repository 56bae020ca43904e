package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.time.Lane;

/** Gives links to nodes that are ready for requests. Safe for any thread. */
@FunctionalInterface
public interface Links {

  /**
   * Gives a link that is ready for requests, at once if there is one. Called on {@code lane}, where
   * {@code waiter} is called too; a failure is told after this has returned.
   */
  void acquire(Lane lane, Node node, LinkKey key, LinkWaiter waiter);
}
