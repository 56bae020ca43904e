package io.sluice.torture.check;

/**
 * The error that a client was told.
 *
 * @param kind its kind
 * @param text its message, for the report
 */
public record Failure(Kind kind, String text) {

  /** The kinds of errors, by what a client may conclude from them. */
  public enum Kind {
    /** A node gave up waiting for others. */
    TIMEOUT(true),
    /** Too few replicas are up. */
    UNAVAILABLE(true),
    /** Load was shed. */
    OVERLOADED(true),
    /** A node or the proxy starts or ends. */
    BOOTSTRAPPING(true),
    /** A replica refused its part of a request. */
    REPLICA_FAILURE(true),
    /** The connection was closed, or none could be had. */
    CLOSED(true),
    /** There was no answer within the client's patience, which is above every deadline. */
    NO_ANSWER(false),
    /** Any other error. */
    OTHER(false);

    private final boolean allowed;

    Kind(boolean allowed) {
      this.allowed = allowed;
    }

    /** Whether a fault may cause it. */
    public boolean allowed() {
      return allowed;
    }
  }
}
