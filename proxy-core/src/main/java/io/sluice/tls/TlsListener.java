package io.sluice.tls;

/** A listener for the result of one handshake. Called on the connection's event loop. */
public interface TlsListener {

  /**
   * Called at the first bytes of a handshake, before a TLS engine is allocated for it. Not called
   * on connections to nodes.
   *
   * @return false to have the connection closed
   */
  default boolean begins() {
    return true;
  }

  /** Called when the handshake has succeeded and the connection is encrypted. */
  void secured();

  /**
   * Called when the handshake has failed, or the other side has refused after it. The connection is
   * being closed.
   *
   * @param reason the reason as one line for the log
   */
  void failed(TlsCause cause, String reason);
}
