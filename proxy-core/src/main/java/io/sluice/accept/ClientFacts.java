package io.sluice.accept;

import java.net.InetSocketAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client connection at one moment.
 *
 * @param id its number in this process
 * @param address the client's
 * @param role the role that logged in
 * @param driver what the driver says of itself
 * @param protocol the version of the protocol
 * @param compression the algorithm, or {@code none}
 * @param keyspace of its last USE, or null
 * @param underWay requests that are not answered
 * @param heldBytes the memory of its requests, of its unread answers and of unfinished frames
 * @param unreadBytes of its answers that this process has not sent, as the client does not read
 * @param tls its TLS; null without
 * @param since when it was opened
 */
public record ClientFacts(
    long id,
    InetSocketAddress address,
    String role,
    Driver driver,
    int protocol,
    String compression,
    @Nullable String keyspace,
    int underWay,
    long heldBytes,
    long unreadBytes,
    @Nullable Encryption tls,
    Instant since) {

  /** The TLS that both sides have agreed on, by the JDK's names. */
  public record Encryption(String version, String cipher) {}

  /** The names in a driver's STARTUP; each is null if it was not told. */
  public record Driver(
      @Nullable String name, @Nullable String version, @Nullable String application) {

    /** One that says nothing of itself. */
    public static final Driver UNKNOWN = new Driver(null, null, null);
  }
}
