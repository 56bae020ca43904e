package io.sluice.accept;

/** A reason why the proxy closes or refuses a client's connection. */
enum Disconnect {
  /**
   * No place is free: {@code cql.maxConnections} is reached, or one address has too many logins.
   */
  PLACES,
  /** One address opened more connections than {@code cql.connectionsPerSecond}. */
  RATE,
  /** The handshake took longer than {@code cql.handshakeTimeout}, or failed three times. */
  HANDSHAKE,
  /**
   * The TLS handshake failed, or the client began without TLS where {@code cql.tls} requires it.
   */
  TLS,
  /** Too many frames in a row were invalid, or the byte stream has lost its frame boundaries. */
  PROTOCOL,
  /** The client left too many bytes of responses unread: {@code cql.maxUnreadBytes}. */
  UNREAD,
  /** All clients together held too much memory: {@code cql.maxMemoryPercent}. */
  MEMORY,
  /** The proxy itself failed on this connection. */
  INTERNAL
}
