package io.sluice.link;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the slot of a link.
 *
 * @param node the node's address
 * @param role the role whose requests it carries
 * @param keyspace the link's session keyspace; null for none
 * @param protocol the version of the protocol
 * @param lane the number of its thread, from 0
 * @param state whether it is open
 * @param inFlight the number of requests in flight
 * @param openNanos how long the link has been open; below 0 when it is not open
 */
public record LinkFacts(
    InetSocketAddress node,
    String role,
    @Nullable String keyspace,
    int protocol,
    int lane,
    State state,
    int inFlight,
    long openNanos) {

  /** The state of a slot. */
  public enum State {
    OPEN,
    CONNECTING,

    /** It waits after a failure, before it connects again. */
    PAUSING,
    CLOSED
  }
}
