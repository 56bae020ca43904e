package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.Framing;
import java.util.concurrent.TimeUnit;

/**
 * The back pressure on one connection. Stops reading while too many requests are unanswered,
 * responses are left unread, or the client holds more than its share of memory. Not safe for
 * several threads: one lane.
 */
final class Intake {

  /**
   * The period of checks for progress: no event tells that a client has read a part of its
   * responses.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int DEEP = 16;

  private final Channel channel;
  private final Lane lane;
  private final Framing framing;
  private final Outbox outbox;
  private final MemoryAccount memory;
  private final int maxUnanswered;
  private int unanswered;
  private boolean looking;
  private boolean ended;

  Intake(
      Channel channel,
      Lane lane,
      Framing framing,
      Outbox outbox,
      MemoryAccount memory,
      int maxUnanswered) {
    this.channel = channel;
    this.lane = lane;
    this.framing = framing;
    this.outbox = outbox;
    this.memory = memory;
    this.maxUnanswered = maxUnanswered;
  }

  /** Counts the unfinished bytes after a read, once all its complete frames were handled. */
  void readComplete() {
    memory.unfinished(framing.unfinishedBytes());
    update();
  }

  /** Counts the unread and unfinished bytes again. */
  void recount() {
    outbox.recount();
    memory.unfinished(framing.unfinishedBytes());
  }

  /** Counts a request of this many bytes. */
  void asked(int bytes) {
    unanswered++;
    memory.requests(bytes);
    update();
  }

  /** Counts the response to a request of this many bytes. */
  void answered(int bytes) {
    unanswered--;
    memory.requests(-bytes);
  }

  /** Whether so many requests are unanswered that each should be copied out of its read buffer. */
  boolean isDeep() {
    return unanswered >= DEEP;
  }

  /** Returns how many requests are unanswered. */
  int unanswered() {
    return unanswered;
  }

  /** Whether a request is unanswered. */
  boolean isBusy() {
    return unanswered > 0;
  }

  /** Starts or stops reading, by the current figures. */
  void update() {
    if (ended) {
      return;
    }
    boolean room = !outbox.isFull() && !memory.isOverShare();
    boolean wanted = room && unanswered < maxUnanswered;
    boolean reading = channel.config().isAutoRead();
    if (reading != wanted && (!wanted || unanswered <= maxUnanswered / 2)) {
      channel.config().setAutoRead(wanted);
      memory.reading(wanted);
    }
    if (!room && !looking) {
      looking = true;
      lane.schedule(LOOK_NANOS, this::look);
    }
  }

  private void look() {
    looking = false;
    if (channel.isActive()) {
      outbox.recount();
      update();
    }
  }

  /** Stops controlling the channel, and leaves its reading as it is. */
  void end() {
    ended = true;
  }
}
