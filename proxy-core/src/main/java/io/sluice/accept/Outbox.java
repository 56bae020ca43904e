package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.ReceiverBacklog;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The answers of one connection on their way out. A connection is a queue too: while the client
 * reads slower than answers come, small ones go before large ones, and what would make more large
 * ones can wait until it has caught up. Not safe for several threads: one lane.
 */
final class Outbox {

  /** From here on an answer makes others wait. */
  private static final int LARGE_BYTES = 32 * 1024;

  /** More than so much unread in front of an answer is a wait that can be felt. */
  private static final long BEHIND_BYTES = 512 * 1024;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After so many looks that saw nothing read, what is thought to be unread is doubted. */
  private static final int LOOKS = 4;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int AT_MOST = 4;

  /** Reads let go at once: the first answers may hold the rest of them back again. */
  private static final int LET_GO = 8;

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

  /** Whether the last flush left something unsent: what is added now has to wait. */
  private boolean behind;

  private boolean watching;
  private boolean looking;
  private int vainLooks;

  /**
   * Opens it.
   *
   * @param backlog what the client has received and not read
   * @param limit bytes that may be left unread for a while
   * @param memory is told what is unread
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

  /** Changes how many bytes may be left unread for a while. */
  void limit(long bytes) {
    limit = bytes;
  }

  /** Sends an answer, now or when large ones can go; takes the frame over. */
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

  /** Whether large answers have to wait. */
  boolean isCongested() {
    return !large.isEmpty() || !takesLarge();
  }

  /** Whether reads that give large answers have to wait. */
  boolean holdsBack() {
    return isCongested() || (memory.isFilling() && unread() > MemoryBudget.SMALL_BYTES);
  }

  /**
   * Whether a large answer would not stand before others for long. The system is asked each time,
   * as it tells what the receiver has room for now: what is unread is seen only against the widest
   * window, which a look once in a while misses.
   */
  private boolean takesLarge() {
    return channel.isWritable() && backlog.bytes() <= BEHIND_BYTES;
  }

  /**
   * Whether the client has fallen so far behind that it should not ask for more; for any thread.
   */
  boolean isFull() {
    return unread() > limit || held > memory.share();
  }

  /**
   * Runs {@code task} when reads that give large answers need not wait any more. Of many tasks only
   * a few run at a time, for a read whose turn comes while it has to wait again costs a node's
   * slot.
   */
  void whenDrained(Runnable task) {
    if (holdsBack() && channel.isActive()) {
      waiting.add(task);
      lookSoon();
    } else {
      task.run();
    }
  }

  /** All answers of one turn of the event loop leave in one write. */
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

  /** Tells the account what is unread now. */
  void recount() {
    long unread = unread();
    memory.unread(unread, accepted - unread);
  }

  /** The client has read something. */
  void drain() {
    while (!large.isEmpty() && takesLarge()) {
      Frame next = large.remove();
      hold(-next.length());
      channel.writeAndFlush(next, channel.voidPromise());
    }
    for (int i = 0; i < LET_GO && !waiting.isEmpty() && !holdsBack(); i++) {
      waiting.remove().run();
    }
    if (!large.isEmpty() || !waiting.isEmpty()) {
      lookSoon();
    }
  }

  /** No event says when a client has read what it had received; a full channel has its own. */
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
    if (vainLooks == LOOKS) {
      vainLooks = 0;
      backlog.forget();
    }
    drain();
  }

  /** The connection is gone: what waits for it need not wait. */
  void close() {
    large.forEach(Frame::release);
    large.clear();
    held = 0;
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  /** A client that does not read at all is told from one that reads slowly. */
  private void watch() {
    long unread = unread();
    if (unread > AT_MOST * limit) {
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
      // What is added costs the channel a little more than its bytes.
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

  /** Bytes that have not left. */
  long unread() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return held + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
  }
}
