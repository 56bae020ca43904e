package io.sluice.server.settings;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.sluice.accept.CertifiedRole;
import io.sluice.accept.ListenConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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
    int connectionsPerSecond,
    TlsSettings tls,
    List<CertifiedRole> certificateRoles,
    @Nullable String handover,
    @Nullable InetSocketAddress advertise,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<Peer> peers,
    boolean homes) {

  CqlSettings {
    peers = List.copyOf(peers);
    certificateRoles = List.copyOf(certificateRoles);
    Requirements requirements = Requirements.of("cql");
    if (advertise != null) {
      check(requirements, "advertise", advertise);
    }
    for (int i = 0; i < peers.size(); i++) {
      InetSocketAddress address = peers.get(i).address();
      if (address != null && !peers.get(i).isName()) {
        check(requirements, "peers[" + i + "]", address);
      }
    }
    requirements.check();
  }

  /** Refuses an address that clients or other proxies cannot connect to. */
  private static void check(Requirements requirements, String key, InetSocketAddress address) {
    InetAddress host = address.getAddress();
    String value = SettingsFormat.text(address);
    requirements
        .that(host != null, key, value, "must be an address that can be resolved")
        .that(
            host == null || !host.isAnyLocalAddress(),
            key,
            value,
            "must be the address of one host",
            "write the address at which clients reach the proxy")
        .that(
            address.getPort() != 0,
            key,
            value,
            "must have a port from 1 to 65535",
            "write the port at which clients reach the proxy");
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
        listen.connectionsPerSecond(),
        TlsSettings.defaults(),
        List.of(),
        null,
        null,
        List.of(),
        false);
  }

  /** Returns the addresses whose hosts were looked up when the settings were read. */
  List<InetSocketAddress> addresses() {
    return Stream.concat(
            Stream.ofNullable(advertise),
            peers.stream()
                .filter(peer -> !peer.isName())
                .map(Peer::address)
                .flatMap(Stream::ofNullable))
        .toList();
  }

  /** Returns the settings of the fleet. An unresolved address stands for a name. */
  FleetConfig fleet() {
    return new FleetConfig(
        advertise,
        peers.stream().map(Peer::address).flatMap(Stream::ofNullable).toList(),
        peers.stream().anyMatch(peer -> peer.address() == null),
        homes);
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
        connectionsPerSecond,
        tls.config(TlsConfig.Side.CLIENT),
        certificateRoles,
        handover == null ? null : Path.of(handover));
  }
}
