package io.sluice.tls;

import java.io.IOException;

/** A TLS handshake that failed; its message says why, in one line. */
public final class HandshakeFailed extends IOException {

  private static final long serialVersionUID = 1L;

  HandshakeFailed(TlsCause why, IOException cause) {
    super("TLS handshake: " + why.explained(cause), cause);
  }
}
