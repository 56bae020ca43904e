package io.sluice.accept;

import org.jspecify.annotations.Nullable;

/** The state of a connection. The only ways on: New → Handshaking → Ready. */
sealed interface SessionState {

  /** Nothing but OPTIONS and STARTUP is understood. */
  record New() implements SessionState {}

  /**
   * A real node is being asked.
   *
   * @param handshake the exchange with it
   * @param asked what the client waits for; null while it is the client's turn
   */
  record Handshaking(ClientHandler.Handshake handshake, @Nullable PendingReply asked)
      implements SessionState {}

  /** Requests are served. */
  record Ready() implements SessionState {}
}
