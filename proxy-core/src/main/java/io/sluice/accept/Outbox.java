package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The outbound responses of one connection. While the client reads more slowly than responses
 * arrive, small responses overtake large ones. Reads that would produce more large responses can
 * wait until the client has caught up. Not safe for several threads: one lane.
 */
final class Outbox {

  /** From this size on, a response delays others noticeably. */
  private static final int LARGE_BYTES = 32 * 1024;

  /** More unread bytes in front of a response delay it noticeably. */
  private static final long BEHIND_BYTES = 512 * 1024;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After this many looks without progress, the estimate of unread bytes is reset. */
  private static final int MOST_VAIN_LOOKS = 4;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Above this multiple of the limit a client is disconnected at once. */
  private static final int DISCONNECT_FACTOR = 4;

  /** Reads released at once. Their responses may make the remaining reads wait again. */
  private static final int RELEASED_AT_ONCE = 8;

  private final Channel channel;
  private final ReceiverBacklog backlog;
  private final Lane lane;
  private final MemoryAccount memory;
  private final Consumer<String> disconnect;
  private long limit;
  private final ArrayDeque<Frame> large = new ArrayDeque<>();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

  /** Bytes in {@link #large}; written by the lane, read by any thread. */
  private volatile long held;

  private long accepted;
  private boolean flushing;

  /** Whether the last flush left bytes unsent, so that added frames have to wait. */
  private boolean behind;

  private boolean watching;
  private boolean looking;
  private int vainLooks;

  /**
   * Creates the outbox of a new connection.
   *
   * @param backlog the bytes that the client's system has received and the client has not read
   * @param limit the bytes that may be left unread for some seconds
   * @param memory the client's account, which counts the unread bytes
   * @param disconnect ends the connection for the reason given
   */
  Outbox(
      Channel channel,
      ReceiverBacklog backlog,
      Lane lane,
      long limit,
      MemoryAccount memory,
      Consumer<String> disconnect) {
    this.channel = channel;
    this.backlog = backlog;
    this.lane = lane;
    this.limit = limit;
    this.memory = memory;
    this.disconnect = disconnect;
  }

  /** Sets how many bytes may be left unread for some seconds. */
  void limit(long bytes) {
    limit = bytes;
  }

  /**
   * Sends a response and takes ownership of the frame. A large response waits while the connection
   * is congested.
   */
  void add(Frame frame) {
    accepted += frame.length();
    if (frame.length() >= LARGE_BYTES && isCongested()) {
      hold(frame.length());
      large.add(frame.compact());
    } else {
      channel.write(behind ? frame.compact() : frame, channel.voidPromise());
    }
    flushSoon();
  }

  private void hold(long more) {
    long before = held;
    held = before + more;
  }

  /** Whether large responses have to wait. */
  boolean isCongested() {
    return !large.isEmpty() || !takesLarge();
  }

  /** Whether reads with large responses have to wait. */
  boolean holdsBack() {
    return isCongested() || (memory.isFilling() && unread() > MemoryBudget.SMALL_BYTES);
  }

  /**
   * Whether a large response would not delay others for long. Asks the system each time for the
   * receiver's current window. Unread bytes are visible only against the widest window, and an
   * occasional look misses that.
   */
  private boolean takesLarge() {
    return channel.isWritable() && backlog.bytes() <= BEHIND_BYTES;
  }

  /**
   * Whether the client is so far behind that no more requests should be read. May be called from
   * any thread.
   */
  boolean isFull() {
    return unread() > limit || held > memory.share();
  }

  /**
   * Runs {@code task} when reads with large responses need not wait any more. Only a few tasks run
   * at a time. A read that would have to wait again occupies a slot of a node.
   */
  void whenDrained(Runnable task) {
    if (holdsBack() && channel.isActive()) {
      waiting.add(task);
      lookSoon();
    } else {
      task.run();
    }
  }

  /** Schedules one flush for all responses of one turn of the event loop. */
  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      lane.execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    channel.flush();
    drain();
    behind = unread() > 0;
    recount();
    watch();
  }

  /** Updates the account with the unread bytes. */
  void recount() {
    long unread = unread();
    memory.unread(unread, accepted - unread);
  }

  /** Sends and releases what waits, as far as the client has caught up. */
  void drain() {
    while (!large.isEmpty() && takesLarge()) {
      Frame next = large.remove();
      hold(-next.length());
      channel.writeAndFlush(next, channel.voidPromise());
    }
    for (int i = 0; i < RELEASED_AT_ONCE && !waiting.isEmpty() && !holdsBack(); i++) {
      waiting.remove().run();
    }
    if (!large.isEmpty() || !waiting.isEmpty()) {
      lookSoon();
    }
  }

  /**
   * Schedules a look at the backlog. No event tells that a client has read received bytes. A full
   * channel has an event of its own.
   */
  private void lookSoon() {
    if (!looking && channel.isWritable()) {
      looking = true;
      long before = backlog.bytes();
      lane.schedule(LOOK_NANOS, () -> look(before));
    }
  }

  private void look(long before) {
    looking = false;
    vainLooks = backlog.bytes() < before || !holdsBack() ? 0 : vainLooks + 1;
    if (vainLooks == MOST_VAIN_LOOKS) {
      vainLooks = 0;
      backlog.forget();
    }
    drain();
  }

  /** Releases all frames and runs all waiting tasks. Called when the connection is closed. */
  void close() {
    large.forEach(Frame::release);
    large.clear();
    held = 0;
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  /** Distinguishes a client that does not read at all from one that reads slowly. */
  private void watch() {
    long unread = unread();
    if (unread > DISCONNECT_FACTOR * limit) {
      disconnect(unread);
    } else if (unread > limit && !watching) {
      watching = true;
      lookAgainAt(accepted - unread);
    }
  }

  private void lookAgainAt(long taken) {
    lane.schedule(PATIENCE_NANOS, () -> lookAgain(taken));
  }

  private void lookAgain(long takenBefore) {
    long unread = unread();
    long taken = accepted - unread;
    if (unread <= limit) {
      watching = false;
    } else if (taken <= takenBefore) {
      // The channel counts slightly more than the bytes of each frame.
      disconnect(unread);
    } else {
      lookAgainAt(taken);
    }
  }

  private void disconnect(long unread) {
    disconnect.accept(
        "it leaves %d bytes of its answers unread, at most %d may be (cql.maxUnreadBytes)"
            .formatted(unread, limit));
  }

  /** Returns the bytes that have not been sent. */
  long unread() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return held + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
  }
}
