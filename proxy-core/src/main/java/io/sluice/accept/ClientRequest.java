package io.sluice.accept;

import io.sluice.wire.Frame;

/**
 * A request of a client.
 *
 * @param frame the request's frame; the receiver of the request owns it
 * @param client the sender
 * @param replyTo the receiver of the one response
 */
public record ClientRequest(Frame frame, Client client, ReplyTo replyTo) {
  /** The receiver of the one response to a client's request. */
  public interface ReplyTo {

    /**
     * Sends the response. Takes ownership of the frame and sets the request's stream id. May be
     * called from any thread. Only the first call counts, and later frames are released.
     */
    void reply(Frame answer);

    /** Whether the client is still connected. */
    boolean isOpen();
  }
}
