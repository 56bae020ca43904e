package io.sluice.tls;

import java.io.IOException;

/** Thrown when a TLS handshake fails. The message gives the reason in one line. */
public final class HandshakeFailed extends IOException {

  private static final long serialVersionUID = 1L;

  HandshakeFailed(TlsCause why, IOException cause) {
    super("TLS handshake: " + why.explained(cause), cause);
  }
}
