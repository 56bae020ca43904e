package io.sluice.accept;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.sluice.time.Lane;
import io.sluice.tls.TlsConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection that the proxy closes. What was written goes out, output is shut down,
 * and input is read and discarded until the client closes or a second has passed: a socket that is
 * closed with input unread is reset, and the client loses answers that it has not read. Not safe
 * for several threads: one lane.
 */
final class Farewell {

  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For a client that does not even take what was written. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Channel channel;
  private final Lane lane;
  private final FaultLog faults;
  private final Runnable atBegin;
  private boolean begun;

  /**
   * The end of a connection that is open.
   *
   * @param faults the log and the counts of connections that are closed
   * @param atBegin called once, before anything else is done
   */
  Farewell(Channel channel, Lane lane, FaultLog faults, Runnable atBegin) {
    this.channel = channel;
    this.lane = lane;
    this.faults = faults;
    this.atBegin = atBegin;
  }

  /** Whether it has begun: what arrives is discarded. */
  boolean begun() {
    return begun;
  }

  /** Whether it has begun, or the connection is gone: nothing more is read or written. */
  boolean isEnding() {
    return begun || !channel.isActive();
  }

  /** Closes at once. */
  void disconnect(Disconnect why, String reason) {
    if (channel.isActive()) {
      faults.disconnected(why, channel.remoteAddress(), reason);
      TlsConnection.closeAtOnce(channel);
    }
  }

  /** Closes without waiting for anything, and without a reason in the log. Any thread. */
  void now() {
    TlsConnection.closeAtOnce(channel);
  }

  /** Begins, for a reason that is logged. */
  void leave(Disconnect why, String reason) {
    if (!begun) {
      faults.disconnected(why, channel.remoteAddress(), reason);
      begin();
    }
  }

  /** Closes at once after something threw where no request is at fault, or the connection broke. */
  void broken(Throwable cause) {
    if (!(cause instanceof IOException)) {
      faults.failed(channel.remoteAddress(), cause);
      faults.disconnected(Disconnect.INTERNAL, channel.remoteAddress(), cause.toString());
    }
    TlsConnection.closeAtOnce(channel);
  }

  /** Begins; nothing can be written after. */
  void begin() {
    if (begun) {
      return;
    }
    begun = true;
    atBegin.run();
    lane.schedule(PATIENCE_NANOS, () -> TlsConnection.closeAtOnce(channel));
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(done -> TlsConnection.endOutput(channel, () -> lane.run(this::written)));
  }

  private void written() {
    if (channel instanceof DuplexChannel duplex && channel.isActive()) {
      duplex.shutdownOutput();
      channel.config().setAutoRead(true);
      lane.schedule(LINGER_NANOS, () -> TlsConnection.closeAtOnce(channel));
    } else {
      TlsConnection.closeAtOnce(channel);
    }
  }
}
