package io.sluice.accept;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.time.Instant;

/**
 * The client's end of a connection.
 *
 * @param id the connection's number, unique in this process
 * @param address the remote address; unresolved where it is no internet address
 * @param since when the connection was accepted
 */
record Peer(long id, InetSocketAddress address, Instant since) {

  /** Returns the remote end of {@code channel}. */
  static Peer of(long id, Channel channel, Instant since) {
    return new Peer(
        id,
        channel.remoteAddress() instanceof InetSocketAddress address
            ? address
            : InetSocketAddress.createUnresolved(String.valueOf(channel.remoteAddress()), 0),
        since);
  }
}
