package io.sluice.accept;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.sluice.time.Lane;
import io.sluice.tls.TlsConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Closes a client's connection without losing responses. It flushes pending writes, shuts down
 * output, and discards input until the client closes or a second has passed. Closing a socket with
 * unread input resets it, and the client would lose responses that it has not read. Not safe for
 * several threads: one lane.
 */
final class Farewell {

  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The limit for a client that does not take the pending writes. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Channel channel;
  private final Lane lane;
  private final FaultLog faults;
  private final Runnable atBegin;
  private boolean begun;

  /**
   * Prepares the end of an open connection.
   *
   * @param faults logs and counts closed connections
   * @param atBegin called once, before anything else happens
   */
  Farewell(Channel channel, Lane lane, FaultLog faults, Runnable atBegin) {
    this.channel = channel;
    this.lane = lane;
    this.faults = faults;
    this.atBegin = atBegin;
  }

  /** Whether the farewell has begun. Arriving frames are discarded then. */
  boolean begun() {
    return begun;
  }

  /** Whether the connection is closed. */
  boolean isClosed() {
    return !channel.isActive();
  }

  /**
   * Whether the farewell has begun or the connection is closed. Nothing more is read or written
   * then.
   */
  boolean isEnding() {
    return begun || isClosed();
  }

  /** Closes at once, for a reason that is logged. */
  void disconnect(Disconnect why, String reason) {
    if (!isClosed()) {
      faults.disconnected(why, channel.remoteAddress(), reason);
      TlsConnection.closeAtOnce(channel);
    }
  }

  /** Closes at once and logs no reason. May be called from any thread. */
  void now() {
    TlsConnection.closeAtOnce(channel);
  }

  /** Begins the farewell, for a reason that is logged. */
  void leave(Disconnect why, String reason) {
    if (!begun) {
      faults.disconnected(why, channel.remoteAddress(), reason);
      begin();
    }
  }

  /** Closes at once after an I/O error, or after a failure that no request has caused. */
  void broken(Throwable cause) {
    if (!(cause instanceof IOException)) {
      faults.failed(channel.remoteAddress(), cause);
      faults.disconnected(Disconnect.INTERNAL, channel.remoteAddress(), cause.toString());
    }
    TlsConnection.closeAtOnce(channel);
  }

  /** Begins the farewell. Nothing can be written afterwards. */
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
