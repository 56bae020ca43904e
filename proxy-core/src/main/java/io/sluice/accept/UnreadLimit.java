package io.sluice.accept;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The limit on the responses that a client leaves unread. A client above the limit is disconnected
 * if it reads nothing for some seconds, and at once far above it. Not safe for several threads: one
 * lane, except {@link #isExceeded}.
 */
final class UnreadLimit {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Above this multiple of the limit a client is disconnected at once. */
  private static final int DISCONNECT_FACTOR = 4;

  /** The responses of one client. */
  interface Responses {

    /** Returns the bytes that have not been sent. */
    long unread();

    /** Returns the bytes that were sent. */
    long taken();
  }

  private final Lane lane;
  private final long afterLogin;
  private final Consumer<String> disconnect;
  private long bytes;
  private boolean watching;

  /**
   * Creates the limit of a new connection.
   *
   * @param beforeLogin the bytes that may be left unread for some seconds
   * @param afterLogin the same, from the login on
   * @param disconnect ends the connection for the reason given
   */
  UnreadLimit(Lane lane, long beforeLogin, long afterLogin, Consumer<String> disconnect) {
    this.lane = lane;
    this.bytes = beforeLogin;
    this.afterLogin = afterLogin;
    this.disconnect = disconnect;
  }

  /** Applies the limit for clients that have logged in. */
  void loggedIn() {
    bytes = afterLogin;
  }

  /** Whether so much is unread that no more should be read. May be called from any thread. */
  boolean isExceeded(long unread) {
    return unread > bytes;
  }

  /** Distinguishes a client that does not read at all from one that reads slowly. */
  void check(Responses responses) {
    long unread = responses.unread();
    if (unread > DISCONNECT_FACTOR * bytes) {
      disconnect(unread);
    } else if (isExceeded(unread) && !watching) {
      watching = true;
      lookAgain(responses, responses.taken());
    }
  }

  private void lookAgain(Responses responses, long takenBefore) {
    lane.schedule(PATIENCE_NANOS, () -> look(responses, takenBefore));
  }

  private void look(Responses responses, long takenBefore) {
    long unread = responses.unread();
    long taken = responses.taken();
    if (!isExceeded(unread)) {
      watching = false;
    } else if (taken <= takenBefore) {
      // The channel counts slightly more than the bytes of each frame.
      disconnect(unread);
    } else {
      lookAgain(responses, taken);
    }
  }

  private void disconnect(long unread) {
    disconnect.accept(
        "it leaves %d bytes of its answers unread, at most %d may be (cql.maxUnreadBytes)"
            .formatted(unread, bytes));
  }
}
