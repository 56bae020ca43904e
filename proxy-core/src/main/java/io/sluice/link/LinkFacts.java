package io.sluice.link;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The place of a link, at one moment.
 *
 * @param node the node's address
 * @param role the role whose requests it carries
 * @param keyspace the keyspace it is in; null for none
 * @param protocol the version of the protocol
 * @param lane the number of its thread, from 0
 * @param state {@code open}, {@code connecting}, {@code pausing} after a failure, or {@code closed}
 * @param inFlight requests that are not answered
 * @param openNanos how long it has been open; below 0 when it is not
 */
public record LinkFacts(
    InetSocketAddress node,
    String role,
    @Nullable String keyspace,
    int protocol,
    int lane,
    String state,
    int inFlight,
    long openNanos) {}
