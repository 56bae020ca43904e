package io.sluice.accept;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection that the proxy closes. What was written goes out, output is shut down,
 * and input is read and discarded until the client closes or a second has passed: a socket that is
 * closed with input unread is reset, and the client loses answers that it has not read. One lane.
 */
final class Farewell {

  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For a client that does not even take what was written. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Channel channel;
  private final Lane lane;
  private boolean begun;

  Farewell(Channel channel, Lane lane) {
    this.channel = channel;
    this.lane = lane;
  }

  /** Whether the connection is on its end: what arrives is discarded. */
  boolean begun() {
    return begun;
  }

  /** Begins; nothing can be written after. */
  void begin() {
    if (begun) {
      return;
    }
    begun = true;
    lane.schedule(PATIENCE_NANOS, channel::close);
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> lane.run(this::written));
  }

  private void written() {
    if (channel instanceof DuplexChannel duplex && channel.isActive()) {
      duplex.shutdownOutput();
      channel.config().setAutoRead(true);
      lane.schedule(LINGER_NANOS, channel::close);
    } else {
      channel.close();
    }
  }
}
