package io.sluice.accept;

/** Where a connection stands. The only ways on: New → Handshaking → Ready. */
sealed interface SessionState {

  /** Nothing but OPTIONS and STARTUP is understood. */
  record New() implements SessionState {}

  /** A real node is being asked. */
  record Handshaking(ClientHandler.Handshake handshake) implements SessionState {}

  /** Requests are served. */
  record Ready() implements SessionState {}
}
