package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.Framing;
import java.util.concurrent.TimeUnit;

/**
 * The switch that stops reading from a connection: while too many of its requests are unanswered,
 * its answers are left unread, or it holds more than its share of memory. Not safe for several
 * threads: one lane.
 */
final class Intake {

  /** Nothing tells when a client has read a part of what it left unread. */
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

  /** All frames that the last read completed were handed over. */
  void readComplete() {
    memory.unfinished(framing.unfinishedBytes());
    update();
  }

  /** Counts again what the connection holds. */
  void recount() {
    outbox.recount();
    memory.unfinished(framing.unfinishedBytes());
  }

  /** A request of so many bytes arrived. */
  void asked(int bytes) {
    unanswered++;
    memory.requests(bytes);
    update();
  }

  /** The answer to such a request is at hand. */
  void answered(int bytes) {
    unanswered--;
    memory.requests(-bytes);
  }

  /** Whether so many requests are unanswered that they had better keep no large read alive each. */
  boolean isDeep() {
    return unanswered >= DEEP;
  }

  /** How many requests are unanswered. */
  int unanswered() {
    return unanswered;
  }

  /** Whether a request is unanswered. */
  boolean isBusy() {
    return unanswered > 0;
  }

  /** Starts or stops reading, as things stand. */
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

  /** Leaves the connection as it is from here on. */
  void end() {
    ended = true;
  }
}
