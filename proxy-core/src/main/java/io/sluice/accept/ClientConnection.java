package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.tls.TlsConnection;
import java.net.InetSocketAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The connection of a client: its number, its two ends and its encryption. Safe for any thread. */
final class ClientConnection {

  private final long id;
  private final Channel channel;
  private final InetSocketAddress address;
  private final Instant since;

  /**
   * Describes a connection.
   *
   * @param id its number, unique in this process
   * @param since when it was accepted
   */
  ClientConnection(long id, Channel channel, Instant since) {
    this.id = id;
    this.channel = channel;
    this.address =
        channel.remoteAddress() instanceof InetSocketAddress remote
            ? remote
            : InetSocketAddress.createUnresolved(String.valueOf(channel.remoteAddress()), 0);
    this.since = since;
  }

  long id() {
    return id;
  }

  Channel channel() {
    return channel;
  }

  /** Returns the client's address; unresolved where it is no internet address. */
  InetSocketAddress address() {
    return address;
  }

  /** Returns the address of this proxy that the client connected to. */
  InetSocketAddress connectedTo() {
    return (InetSocketAddress) channel.localAddress();
  }

  Instant since() {
    return since;
  }

  /** Returns the TLS that was negotiated; null without TLS. Called on the lane. */
  ClientFacts.@Nullable Encryption encryption() {
    TlsConnection.Agreed tls = TlsConnection.agreed(channel);
    return tls == null ? null : new ClientFacts.Encryption(tls.version(), tls.cipher());
  }
}
