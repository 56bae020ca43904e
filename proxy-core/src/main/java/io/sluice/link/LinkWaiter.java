package io.sluice.link;

/**
 * The receiver of a requested link. Called on the requesting lane. {@link #ready}, {@link #failed}
 * or {@link #keyspaceRefused} is the last call. A failure is never reported before the method that
 * requests the link has returned.
 */
public interface LinkWaiter {

  void ready(Link link);

  void failed(LinkFailure failure);

  /**
   * Called when the node has accepted the login but refused the keyspace. The receiver owns the
   * link.
   */
  default void keyspaceRefused(Link loggedIn, LinkFailure failure) {
    loggedIn.close(failure.message());
    failed(failure);
  }

  /**
   * Called repeatedly while the node is slow to accept a connection, as a node does that has left
   * the network.
   */
  default void silent() {}
}
