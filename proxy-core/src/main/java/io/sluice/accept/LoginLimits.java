package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.tls.TlsConnection;
import io.sluice.wire.Framing;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The limits of a connection that has not logged in: a deadline, small frames, and a place that
 * counts against its address. Not safe for several threads: one lane.
 */
final class LoginLimits {

  /** Bytes of a frame before login, and of answers that may be left unread then. */
  static final int BYTES = 64 * 1024;

  private final Framing framing;
  private final Places.Place place;
  private final Timer.Timeout deadline;

  /**
   * Sets them.
   *
   * @param within the time for the login
   * @param late called with the reason when that is over and the connection is open, unless its TLS
   *     handshake is still under way: then it is closed
   */
  LoginLimits(
      Channel channel,
      Lane lane,
      Framing framing,
      Places.Place place,
      Duration within,
      Consumer<String> late) {
    this.framing = framing;
    this.place = place;
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

  /** Lifts them, as the client has logged in. */
  void lift() {
    deadline.cancel();
    place.loggedIn();
    framing.loggedIn();
  }

  /** The connection is gone. */
  void end() {
    deadline.cancel();
  }
}
