package io.sluice.accept;

import java.util.List;
import java.util.Map;

/**
 * The rest of the path, as the accept room sees it. All calls come on the client's lane. A call
 * that is given a request takes its frame over; if it throws, the frame stays the caller's, which
 * then answers the request with an error.
 */
public interface ClientHandler {

  /** What OPTIONS is answered with, except for what this room knows itself. */
  Map<String, List<String>> supported();

  /**
   * A STARTUP came.
   *
   * @param options its options, without the compression, which is this connection's own affair
   */
  Handshake startup(ClientRequest startup, Map<String, String> options);

  /** A request of a client whose handshake is over. */
  void handle(ClientRequest request);

  /** The client registered for events. */
  void registered(Client client);

  /** The connection is gone; nothing more comes from it. */
  void gone(Client client);

  /** A handshake with a real node on behalf of a client. */
  interface Handshake {

    /** The client goes on with its SASL exchange. */
    void authResponse(ClientRequest response);

    /** The client left, or the handshake is over: whatever is held for it can go. */
    void end();
  }
}
