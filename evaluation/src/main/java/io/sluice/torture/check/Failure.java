package io.sluice.torture.check;

/**
 * An error that a client got.
 *
 * @param kind its kind
 * @param text its message, for the report
 */
public record Failure(Kind kind, String text) {

  /** A kind of errors, by the conclusions that a client may draw. */
  public enum Kind {
    /** A node gave up waiting for others. */
    TIMEOUT(true),
    /** Too few replicas are up. */
    UNAVAILABLE(true),
    /** A node or proxy sheds load. */
    OVERLOADED(true),
    /** A node or proxy starts or shuts down. */
    BOOTSTRAPPING(true),
    /** A replica refused its part of a request. */
    REPLICA_FAILURE(true),
    /** The connection was closed, or none was available. */
    CLOSED(true),
    /**
     * There was no response within the client's timeout, which is longer than all other timeouts.
     */
    NO_ANSWER(false),
    /** Any other error. */
    OTHER(false);

    private final boolean allowed;

    Kind(boolean allowed) {
      this.allowed = allowed;
    }

    /** Whether a fault may cause this error. */
    public boolean allowed() {
      return allowed;
    }
  }
}
