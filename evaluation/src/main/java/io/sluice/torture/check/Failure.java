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
