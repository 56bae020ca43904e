package io.sluice.accept;

import io.sluice.wire.Frame;

/**
 * One request of one client.
 *
 * @param frame what it sent; the receiver of the request owns it
 * @param client its sender
 * @param replyTo where its one answer goes
 */
public record ClientRequest(Frame frame, Client client, ReplyTo replyTo) {}
