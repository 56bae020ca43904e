package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import java.util.ArrayDeque;

/**
 * The outbound responses of one connection. While the client reads more slowly than responses
 * arrive, small responses overtake large ones. Reads that would produce more large responses can
 * wait until the client has caught up. Not safe for several threads: one lane.
 */
final class Outbox implements BacklogWatch.Waiting, UnreadLimit.Responses {

  /** From this size on, a response delays others noticeably. */
  private static final int LARGE_BYTES = 32 * 1024;

  /** More unread bytes in front of a response delay it noticeably. */
  private static final long BEHIND_BYTES = 512 * 1024;

  /** Reads released at once. Their responses may make the remaining reads wait again. */
  private static final int RELEASED_AT_ONCE = 8;

  private final Channel channel;
  private final BacklogWatch backlog;
  private final Lane lane;
  private final UnreadLimit limit;
  private final MemoryAccount memory;
  private final ArrayDeque<Frame> large = new ArrayDeque<>();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

  /** Bytes in {@link #large}; written by the lane, read by any thread. */
  private volatile long held;

  private long accepted;
  private boolean flushing;

  /** Whether the last flush left bytes unsent, so that added frames have to wait. */
  private boolean behind;

  /**
   * Creates the outbox of a new connection.
   *
   * @param memory the client's account, which counts the unread bytes
   */
  Outbox(
      Channel channel, BacklogWatch backlog, Lane lane, UnreadLimit limit, MemoryAccount memory) {
    this.channel = channel;
    this.backlog = backlog;
    this.lane = lane;
    this.limit = limit;
    this.memory = memory;
  }

  /**
   * Sends a response and takes ownership of the frame. A large response waits while the connection
   * is congested.
   */
  void add(Frame frame) {
    int bytes = frame.length();
    accepted += bytes;
    if (bytes >= LARGE_BYTES && isCongested()) {
      hold(bytes);
      large.add(frame.compact());
    } else {
      channel.write(behind ? frame.compact() : frame, channel.voidPromise());
    }
    if (bytes >= LARGE_BYTES && bytes > memory.share()) {
      // Until the flush, another lane would take the memory for free.
      recount();
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
  @Override
  public boolean holdsBack() {
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
    return limit.isExceeded(unread()) || held > memory.share();
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
    limit.check(this);
  }

  /** Updates the account with the unread bytes. */
  void recount() {
    memory.unread(unread(), taken());
  }

  @Override
  public void drain() {
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

  /** Schedules a look at the backlog, except of a full channel, which has an event of its own. */
  private void lookSoon() {
    if (channel.isWritable()) {
      backlog.lookSoon(this);
    }
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

  @Override
  public long unread() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return held + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
  }

  @Override
  public long taken() {
    return accepted - unread();
  }
}
