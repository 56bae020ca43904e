package io.sluice.server;

import io.sluice.accept.ListenConfig;
import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code cql}: {@link ListenConfig} and what clients are told about proxies. */
record CqlSettings(
    String host,
    int port,
    int maxConnections,
    int maxFrameBytes,
    int maxUnanswered,
    int maxUnreadBytes,
    Duration handshakeTimeout,
    int maxMemoryPercent,
    TlsSettings tls,
    @Nullable InetSocketAddress advertise,
    List<Peer> peers) {

  CqlSettings {
    peers = List.copyOf(peers);
    Requirements requirements =
        Requirements.of("cql")
            .that(
                advertise == null || !advertise.isUnresolved(),
                "advertise",
                String.valueOf(advertise),
                "must be an address that can be resolved");
    for (int i = 0; i < peers.size(); i++) {
      requirements.that(
          peers.get(i).isName() || !peers.get(i).address().isUnresolved(),
          "peers[" + i + "]",
          peers.get(i),
          "must be an address that can be resolved");
    }
    requirements.check();
  }

  static CqlSettings defaults() {
    ListenConfig listen = ListenConfig.on("0.0.0.0", 9042);
    return new CqlSettings(
        listen.host(),
        listen.port(),
        listen.maxConnections(),
        listen.maxFrameBytes(),
        listen.maxUnanswered(),
        listen.maxUnreadBytes(),
        listen.handshakeTimeout(),
        listen.maxMemoryPercent(),
        TlsSettings.defaults(),
        null,
        List.of());
  }

  /** The other proxies; a name is an unresolved address. */
  List<InetSocketAddress> peerAddresses() {
    return peers.stream().map(Peer::address).toList();
  }

  ListenConfig listen() {
    return new ListenConfig(
        host,
        port,
        maxConnections,
        maxFrameBytes,
        maxUnanswered,
        maxUnreadBytes,
        handshakeTimeout,
        maxMemoryPercent,
        tls.config(TlsConfig.Side.CLIENT));
  }
}
