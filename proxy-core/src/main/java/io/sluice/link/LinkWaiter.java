package io.sluice.link;

/**
 * Waits for a link. Called on the lane that asked; {@link #ready} or {@link #failed} ends it. A
 * failure is never told before the request for the link has returned.
 */
public interface LinkWaiter {

  void ready(Link link);

  void failed(LinkFailure failure);

  /** The node has let the link in, but has refused its keyspace: the receiver owns the link. */
  default void keyspaceRefused(Link loggedIn, LinkFailure failure) {
    loggedIn.close(failure.message());
    failed(failure);
  }

  /**
   * The node takes long to accept a connection, as one does that is gone from the network; called
   * again.
   */
  default void silent() {}
}
