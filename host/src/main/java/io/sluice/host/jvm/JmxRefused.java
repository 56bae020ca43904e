package io.sluice.host.jvm;

import java.io.IOException;

/** A refusal that does not change while a node joins: of an attach, of a login, or of TLS. */
public final class JmxRefused extends IOException {
  private static final long serialVersionUID = 1L;

  private final Subject subject;

  /** The subject of a refusal. */
  public enum Subject {
    /** An attach to a JVM. */
    ATTACH,
    /** The login at a port, or what the login may read. */
    LOGIN,
    /** A connection without TLS at a port with TLS, or the handshake. */
    TLS
  }

  /** Creates a refusal with a message for the user. */
  public JmxRefused(Subject subject, String message) {
    super(message);
    this.subject = subject;
  }

  /** Creates a refusal with a message for the user and the exception that it explains. */
  public JmxRefused(Subject subject, String message, Throwable cause) {
    super(message, cause);
    this.subject = subject;
  }

  /** Returns what is refused. */
  public Subject subject() {
    return subject;
  }
}
