package io.sluice.accept;

import io.sluice.wire.Frame;

/**
 * A request of a client.
 *
 * @param frame the request's frame; the receiver of the request owns it
 * @param client the sender
 * @param replyTo the receiver of the one response
 */
public record ClientRequest(Frame frame, Client client, ReplyTo replyTo) {}
