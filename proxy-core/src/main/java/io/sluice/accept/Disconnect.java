package io.sluice.accept;

/** A reason for which the proxy itself closes, or refuses, a client's connection. */
public enum Disconnect {
  /** No place is free: {@code cql.maxConnections}, or too many logins from one address. */
  PLACES,
  /** One address opened more connections than {@code cql.connectionsPerSecond}. */
  RATE,
  /** The handshake took longer than {@code cql.handshakeTimeout}. */
  HANDSHAKE,
  /**
   * The TLS handshake failed, or the client began without TLS where {@code cql.tls} requires it.
   */
  TLS,
  /** Too many frames in a row were none, or the stream of bytes cannot be understood any more. */
  PROTOCOL,
  /** Too many bytes of answers were left unread: {@code cql.maxUnreadBytes}. */
  UNREAD,
  /** All clients together held too much memory: {@code cql.maxMemoryPercent}. */
  MEMORY,
  /** The proxy itself failed on this connection. */
  INTERNAL
}
