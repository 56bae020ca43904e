package io.sluice.accept;

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
 */
public record ListenConfig(
    String host,
    int port,
    int maxConnections,
    int maxFrameBytes,
    int maxUnanswered,
    int maxUnreadBytes,
    Duration handshakeTimeout,
    int maxMemoryPercent) {

  public ListenConfig {
    check(port >= 0 && port <= 65_535, "cql.port", port, "0 to 65535");
    check(maxConnections >= 1, "cql.maxConnections", maxConnections, "at least 1");
    check(maxFrameBytes >= 1 << 20, "cql.maxFrameBytes", maxFrameBytes, "at least 1048576");
    check(
        maxUnanswered >= 1 && maxUnanswered <= 32_768,
        "cql.maxUnanswered",
        maxUnanswered,
        "1 to 32768");
    check(maxUnreadBytes >= 1 << 20, "cql.maxUnreadBytes", maxUnreadBytes, "at least 1048576");
    check(
        !handshakeTimeout.isNegative() && !handshakeTimeout.isZero(),
        "cql.handshakeTimeout",
        handshakeTimeout,
        "positive");
    check(
        maxMemoryPercent >= 1 && maxMemoryPercent <= 90,
        "cql.maxMemoryPercent",
        maxMemoryPercent,
        "1 to 90");
  }

  private static void check(boolean holds, String key, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + ", must be " + range);
    }
  }

  /** The defaults, on {@code host} and {@code port}. */
  public static ListenConfig on(String host, int port) {
    return new ListenConfig(
        host, port, 10_000, 16 << 20, 2048, 64 << 20, Duration.ofSeconds(10), 50);
  }
}
