package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The outbound responses of one connection. While the client reads more slowly than responses
 * arrive, small responses overtake large ones. Reads that would produce more large responses can
 * wait until the client has caught up. Not safe for several threads: one lane.
 */
final class Outbox implements BacklogWatch.Waiting, UnreadLimit.Responses {

  /** From this size on, a response delays others noticeably. */
  private static final int LARGE_BYTES = 32 * 1024;

  /** A response of fewer bytes does not stay in read buffers of more than this. */
  private static final int COPIED_BYTES = 4 * 1024;

  private static final int LARGE_BUFFER_BYTES = 64 * 1024;

  /** More unread bytes in front of a response delay it noticeably. */
  private static final long BEHIND_BYTES = 512 * 1024;

  /** Reads released at once. Their responses may make the remaining reads wait again. */
  private static final int RELEASED_AT_ONCE = 8;

  private final Channel channel;
  private final BacklogWatch backlog;
  private final Lane lane;
  private final UnreadLimit limit;
  private final MemoryAccount memory;
  private final Framing framing;
  private final ArrayDeque<Frame> large = new ArrayDeque<>();
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  /** Bytes in {@link #large}; written by the lane, read by any thread. */
  private volatile long held;

  private boolean flushing;

  /** Whether the last flush left bytes unsent, so that added frames have to wait. */
  private boolean behind;

  /**
   * Creates the outbox of a new connection.
   *
   * @param memory the client's account, which counts the unread bytes
   * @param framing counts the bytes on the wire, which may be fewer than those of the responses
   */
  Outbox(
      Channel channel,
      BacklogWatch backlog,
      Lane lane,
      UnreadLimit limit,
      MemoryAccount memory,
      Framing framing) {
    this.channel = channel;
    this.backlog = backlog;
    this.lane = lane;
    this.limit = limit;
    this.memory = memory;
    this.framing = framing;
  }

  /**
   * Sends a response and takes ownership of the frame. A large response waits while the connection
   * is congested.
   */
  void add(Frame frame) {
    int bytes = frame.length();
    if (bytes >= LARGE_BYTES && isCongested()) {
      hold(bytes);
      large.add(frame.compact(0));
    } else {
      channel.write(small(frame, bytes), channel.voidPromise());
    }
    if (bytes >= LARGE_BYTES && bytes > memory.share()) {
      // Until the flush, another lane would take the memory for free.
      recount();
    }
    flushSoon();
  }

  /** Returns the frame in memory of its own if it has to wait, or would keep much memory then. */
  private Frame small(Frame frame, int bytes) {
    if (behind) {
      return frame.compact(0);
    }
    return bytes < COPIED_BYTES ? frame.compact(LARGE_BUFFER_BYTES) : frame;
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

  /** Forgets a task of {@link #whenDrained}, so that nothing of a read that has ended is kept. */
  void forget(Runnable task) {
    waiting.remove(task);
  }

  private void runNext() {
    Iterator<Runnable> all = waiting.iterator();
    Runnable next = all.next();
    all.remove();
    next.run();
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
      runNext();
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
      runNext();
    }
  }

  @Override
  public long unread() {
    return held + pending();
  }

  private long pending() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  @Override
  public long taken() {
    return framing.writtenBytes() - pending();
  }
}
