package io.sluice.accept;

import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import java.time.Duration;

/**
 * The settings of the CQL port.
 *
 * @param host address to bind, for example 0.0.0.0
 * @param port CQL port; 0 picks a free one
 * @param maxConnections further connections are closed at once; at least 1
 * @param maxFrameBytes longer requests are refused; at least 1 MiB
 * @param maxUnanswered requests of one connection under way at once; reading stops there until half
 *     of them are answered; 1 to 32768
 * @param maxUnreadBytes a client that leaves more than this of its answers unread for five seconds,
 *     or four times as much at any time, is disconnected
 * @param handshakeTimeout a connection that has not logged in after this is closed; positive
 * @param maxMemoryPercent what the requests in flight and the unread answers of all clients may
 *     take of the JVM's direct memory; 1 to 90
 * @param tls whether and how connections are encrypted
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
    TlsConfig tls) {

  private static final int LEAST_BYTES = 1 << 20;
  private static final int MOST_UNANSWERED = 32_768;
  private static final int MOST_MEMORY_PERCENT = 90;
  private static final Duration LEAST_HANDSHAKE = Duration.ofMillis(1);

  public ListenConfig {
    Requirements.of("cql")
        .that(port >= 0 && port <= 65_535, "port", port, "must be 0 to 65535")
        .atLeast("maxConnections", maxConnections, 1)
        .atLeast("maxFrameBytes", maxFrameBytes, LEAST_BYTES)
        .that(
            maxUnanswered >= 1 && maxUnanswered <= MOST_UNANSWERED,
            "maxUnanswered",
            maxUnanswered,
            "must be 1 to " + MOST_UNANSWERED)
        .atLeast("maxUnreadBytes", maxUnreadBytes, LEAST_BYTES)
        .atLeast("handshakeTimeout", handshakeTimeout, LEAST_HANDSHAKE)
        .that(
            maxMemoryPercent >= 1 && maxMemoryPercent <= MOST_MEMORY_PERCENT,
            "maxMemoryPercent",
            maxMemoryPercent,
            "must be 1 to " + MOST_MEMORY_PERCENT)
        .check();
  }

  /** A port without TLS. */
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
        TlsConfig.off(TlsConfig.Side.CLIENT));
  }

  /** The same with other TLS. */
  public ListenConfig withTls(TlsConfig other) {
    return new ListenConfig(
        host,
        port,
        maxConnections,
        maxFrameBytes,
        maxUnanswered,
        maxUnreadBytes,
        handshakeTimeout,
        maxMemoryPercent,
        other);
  }

  /** The defaults, on {@code host} and {@code port}. */
  public static ListenConfig on(String host, int port) {
    return new ListenConfig(
        host, port, 10_000, 16 << 20, 2048, 64 << 20, Duration.ofSeconds(10), 50);
  }
}
