package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a client that does not read its answers, which holds memory for nothing, from one that
 * reads many large ones. One lane.
 */
final class UnreadAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int AT_MOST = 4;

  private final Channel channel;
  private final Lane lane;
  private final long limit;
  private long written;
  private boolean watching;

  UnreadAnswers(Channel channel, Lane lane, long limit) {
    this.channel = channel;
    this.lane = lane;
    this.limit = limit;
  }

  /** An answer of so many bytes was written. */
  void wrote(int bytes) {
    written += bytes;
  }

  /** Looks at how much is unread; called after each flush. */
  void check() {
    long unread = unread();
    if (unread > AT_MOST * limit) {
      disconnect(unread);
    } else if (unread > limit && !watching) {
      watching = true;
      watch(written - unread);
    }
  }

  private void watch(long taken) {
    lane.schedule(PATIENCE_NANOS, () -> lookAgain(taken));
  }

  private void lookAgain(long takenBefore) {
    long unread = unread();
    long taken = written - unread;
    if (unread <= limit) {
      watching = false;
    } else if (taken == takenBefore) {
      disconnect(unread);
    } else {
      watch(taken);
    }
  }

  private void disconnect(long unread) {
    LOG.warn(
        "Closing {}: it leaves {} bytes of its answers unread (cql.maxUnreadBytes {})",
        channel,
        unread,
        limit);
    channel.close();
  }

  private long unread() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }
}
