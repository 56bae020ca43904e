package io.sluice.tls;

/** The receiver of what becomes of one handshake. Called on the connection's event loop. */
public interface TlsListener {

  /**
   * The first bytes of a handshake came, which from here on takes the memory of an engine. Not
   * called on connections to nodes.
   *
   * @return false to have the connection closed
   */
  default boolean begins() {
    return true;
  }

  /** The connection is encrypted. */
  void secured();

  /**
   * The handshake failed, or the other side refused after it; the connection is being closed.
   *
   * @param reason one line for the log
   */
  void failed(TlsCause cause, String reason);
}
