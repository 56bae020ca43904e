package io.sluice.accept;

import java.net.InetSocketAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a client connection.
 *
 * @param id the connection's number in this process
 * @param address the client's address
 * @param role the role that logged in
 * @param driver what the driver says of itself
 * @param protocol the version of the protocol
 * @param compression the algorithm, or {@code none}
 * @param keyspace the keyspace of the last USE, or null
 * @param underWay requests in flight
 * @param heldBytes the memory of the client's requests, unread responses and unfinished frames
 * @param unreadBytes bytes of responses that this process cannot send, because the client does not
 *     read
 * @param tls the negotiated TLS; null without TLS
 * @param since when the connection was opened
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

  /** The TLS version and cipher that were negotiated, by the JDK's names. */
  public record Encryption(String version, String cipher) {}

  /**
   * The names in a driver's STARTUP; null where the driver sends none. A connection keeps them as
   * long as it lives, so long ones are cut.
   */
  public record Driver(
      @Nullable String name, @Nullable String version, @Nullable String application) {

    private static final int MAX_CHARACTERS = 256;

    /** A driver that says nothing of itself. */
    public static final Driver UNKNOWN = new Driver(null, null, null);

    public Driver {
      name = cut(name);
      version = cut(version);
      application = cut(application);
    }

    private static @Nullable String cut(@Nullable String text) {
      return text == null || text.length() <= MAX_CHARACTERS
          ? text
          : text.substring(0, MAX_CHARACTERS);
    }
  }
}
