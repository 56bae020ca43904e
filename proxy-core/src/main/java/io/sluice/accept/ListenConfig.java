package io.sluice.accept;

import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the CQL port.
 *
 * @param host the address to bind, for example 0.0.0.0
 * @param port the CQL port; 0 picks a free one
 * @param maxConnections further connections are closed at once; at least 1
 * @param maxFrameBytes longer requests are refused; at least 1 MiB
 * @param maxUnanswered requests of one connection in flight at once; at this number reading stops
 *     until half of them are answered; 1 to 32768
 * @param maxUnreadBytes a client that leaves more response bytes unread for five seconds, or four
 *     times as many at any time, is disconnected
 * @param handshakeTimeout a connection that has not logged in within this time is closed; positive
 * @param maxMemoryPercent the share of the JVM's direct memory for the requests in flight and the
 *     unread responses of all clients; 1 to 90
 * @param connectionsPerSecond new connections that one address may open; further ones are closed at
 *     once; those of ten seconds may come in one burst; 0 for no limit
 * @param tls whether and how connections are encrypted
 * @param certificateRoles the roles that clients have by their certificates; the first match counts
 * @param handover the socket file through which the next process takes the port over; null for none
 */
public record ListenConfig(
    String host,
    int port,
    int maxConnections,
    int maxFrameBytes,
    int maxUnanswered,
    int maxUnreadBytes,
    Duration handshakeTimeout,
    int maxMemoryPercent,
    int connectionsPerSecond,
    TlsConfig tls,
    List<CertifiedRole> certificateRoles,
    @Nullable Path handover) {

  private static final int USUAL_RATE = 200;
  private static final int MIN_BYTES = 1 << 20;
  private static final int MAX_UNANSWERED = 32_768;
  private static final int MAX_MEMORY_PERCENT = 90;
  private static final Duration MIN_HANDSHAKE = Duration.ofMillis(1);

  public ListenConfig {
    certificateRoles = List.copyOf(certificateRoles);
    checkRoles(certificateRoles, tls);
    Requirements.of("cql")
        .that(port >= 0 && port <= 65_535, "port", port, "must be 0 to 65535")
        .atLeast("maxConnections", maxConnections, 1)
        .atLeast("maxFrameBytes", maxFrameBytes, MIN_BYTES)
        .that(
            maxUnanswered >= 1 && maxUnanswered <= MAX_UNANSWERED,
            "maxUnanswered",
            maxUnanswered,
            "must be 1 to " + MAX_UNANSWERED)
        .atLeast("maxUnreadBytes", maxUnreadBytes, MIN_BYTES)
        .atLeast("handshakeTimeout", handshakeTimeout, MIN_HANDSHAKE)
        .that(
            maxMemoryPercent >= 1 && maxMemoryPercent <= MAX_MEMORY_PERCENT,
            "maxMemoryPercent",
            maxMemoryPercent,
            "must be 1 to " + MAX_MEMORY_PERCENT)
        .atLeast("connectionsPerSecond", connectionsPerSecond, 0)
        .check();
  }

  private static void checkRoles(List<CertifiedRole> roles, TlsConfig tls) {
    Requirements requirements =
        Requirements.of("cql")
            .that(
                roles.isEmpty() || (tls.isOn() && tls.clientAuth() != ClientAuth.NONE),
                "certificateRoles",
                roles.size() + " roles",
                "must not be set where clients show no certificates",
                "set cql.tls.mode, and cql.tls.clientAuth to want or require");
    for (int i = 0; i < roles.size(); i++) {
      String problem = roles.get(i).problem();
      requirements.that(
          problem == null,
          "certificateRoles[" + i + "]",
          roles.get(i),
          String.valueOf(problem),
          "`server --reference` shows an example");
    }
    requirements.check();
  }

  /** Creates the settings of a port without TLS. */
  public ListenConfig(
      String host,
      int port,
      int maxConnections,
      int maxFrameBytes,
      int maxUnanswered,
      int maxUnreadBytes,
      Duration handshakeTimeout,
      int maxMemoryPercent) {
    this(
        host,
        port,
        maxConnections,
        maxFrameBytes,
        maxUnanswered,
        maxUnreadBytes,
        handshakeTimeout,
        maxMemoryPercent,
        USUAL_RATE,
        TlsConfig.off(TlsConfig.Side.CLIENT),
        List.of(),
        null);
  }

  /** Returns these settings with other TLS. */
  public ListenConfig withTls(TlsConfig other) {
    return with(other, certificateRoles, handover);
  }

  /** Returns these settings with other TLS and these roles by certificate. */
  public ListenConfig withTls(TlsConfig other, List<CertifiedRole> roles) {
    return with(other, roles, handover);
  }

  /** Returns these settings with a hand-over through this socket file. */
  public ListenConfig withHandover(Path file) {
    return with(tls, certificateRoles, file);
  }

  private ListenConfig with(
      TlsConfig otherTls, List<CertifiedRole> roles, @Nullable Path otherHandover) {
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
        otherTls,
        roles,
        otherHandover);
  }

  /** Returns the defaults, on {@code host} and {@code port}. */
  public static ListenConfig on(String host, int port) {
    return new ListenConfig(
        host, port, 10_000, 16 << 20, 2048, 64 << 20, Duration.ofSeconds(10), 50);
  }
}
