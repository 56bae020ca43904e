package io.sluice.accept;

import java.util.List;
import java.util.Map;

/**
 * The rest of the request path, as the accept room sees it. All methods are called on the client's
 * lane. A method that is given a request takes ownership of its frame. If the method throws, the
 * caller keeps the frame and answers the request with an error.
 */
public interface ClientHandler {

  /** Returns the options of SUPPORTED, except those that this room adds itself. */
  Map<String, List<String>> supported();

  /**
   * Handles STARTUP and begins a handshake. The request must not be answered before this method has
   * returned, because the session must know the handshake by then.
   *
   * @param options the options without the compression, which the session handles itself
   */
  Handshake startup(ClientRequest startup, Map<String, String> options);

  /** Handles a request of a client whose handshake is complete. */
  void handle(ClientRequest request);

  /** Called when the client has registered for events. */
  void registered(Client client);

  /** Called when the connection is closed. No further call follows for this client. */
  void gone(Client client);

  /** A handshake with a node on behalf of a client. */
  interface Handshake {

    /** Handles the next message of the client's SASL exchange. */
    void authResponse(ClientRequest response);

    /**
     * Releases everything held for this handshake. Called when the client disconnects or the
     * handshake is complete.
     */
    void end();
  }
}
