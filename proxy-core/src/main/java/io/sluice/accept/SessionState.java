package io.sluice.accept;

import org.jspecify.annotations.Nullable;

/**
 * The state of a client connection: New → Handshaking → Ready. A failed handshake goes back to New.
 */
sealed interface SessionState {

  /** Only OPTIONS and STARTUP are accepted. */
  record New() implements SessionState {}

  /**
   * A handshake with a node is in progress.
   *
   * @param handshake the handshake with the node
   * @param asked the client's request that waits for the node; null while the client has to send
   */
  record Handshaking(ClientHandler.Handshake handshake, @Nullable PendingReply asked)
      implements SessionState {}

  /** Requests are served. */
  record Ready() implements SessionState {}
}
