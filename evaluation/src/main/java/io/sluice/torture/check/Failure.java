package io.sluice.torture.check;

import java.util.List;

/**
 * An error that a client got.
 *
 * @param kind its kind
 * @param text its message, for the report
 * @param closedAt addresses to which connections were closed or not available; empty if they are
 *     unknown, as in histories of older versions
 */
public record Failure(Kind kind, String text, List<String> closedAt) {

  /** Copies the addresses. */
  public Failure {
    closedAt = List.copyOf(closedAt);
  }

  /** Creates a failure without known addresses. */
  public Failure(Kind kind, String text) {
    this(kind, text, List.of());
  }

  /** A kind of errors, by the conclusions that a client may draw. */
  public enum Kind {
    /** A node gave up waiting for others. */
    TIMEOUT(true, false),
    /** Too few replicas are up. */
    UNAVAILABLE(true, true),
    /** A node or proxy sheds load. */
    OVERLOADED(true, true),
    /** A node or proxy starts or shuts down. */
    BOOTSTRAPPING(true, true),
    /** A replica refused its part of a request. */
    REPLICA_FAILURE(true, false),
    /** The connection was closed, or none was available. */
    CLOSED(true, false),
    /**
     * There was no response within the client's timeout, which is longer than all other timeouts.
     */
    NO_ANSWER(false, false),
    /** Any other error. */
    OTHER(false, false);

    private final boolean allowed;
    private final boolean refuses;

    Kind(boolean allowed, boolean refuses) {
      this.allowed = allowed;
      this.refuses = refuses;
    }

    /** Whether a fault may cause this error. */
    public boolean allowed() {
      return allowed;
    }

    /** Whether this error says that the request was not executed. */
    public boolean refuses() {
      return refuses;
    }
  }
}
