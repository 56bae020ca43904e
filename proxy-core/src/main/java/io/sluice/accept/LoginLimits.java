package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.tls.TlsConnection;
import io.sluice.wire.Framing;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The limits of a connection before its login: a deadline, small frames, and a place that counts
 * against its address. Not safe for several threads: one lane.
 */
final class LoginLimits {

  /** The most bytes of a frame before login, and of responses that may be left unread then. */
  static final int BYTES = 64 * 1024;

  private final Framing framing;
  private final Runnable loggedIn;
  private final Timer.Timeout deadline;

  /**
   * Applies the limits to a new connection.
   *
   * @param loggedIn called when the limits are lifted
   * @param within the time for the login
   * @param late called with the reason at the deadline, if the connection is open; a connection
   *     that is still in its TLS handshake is closed instead
   */
  LoginLimits(
      Channel channel,
      Lane lane,
      Framing framing,
      Runnable loggedIn,
      Duration within,
      Consumer<String> late) {
    this.framing = framing;
    this.loggedIn = loggedIn;
    framing.limitBeforeLogin(BYTES);
    this.deadline =
        lane.schedule(
            within.toNanos(),
            () -> {
              if (channel.isActive() && !TlsConnection.giveUp(channel)) {
                late.accept(
                    "it did not log in within " + within.toMillis() + " ms (cql.handshakeTimeout)");
              }
            });
  }

  /** Lifts the limits after login. */
  void lift() {
    deadline.cancel();
    loggedIn.run();
    framing.loggedIn();
  }

  /** Cancels the deadline when the connection is closed. */
  void end() {
    deadline.cancel();
  }
}
