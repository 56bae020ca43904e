package io.sluice.accept;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * Looks at a receiver's backlog while responses or reads wait for it. No event tells that a client
 * has read received bytes. Not safe for several threads: one lane.
 */
final class BacklogWatch {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After this many looks without progress, the estimate of unread bytes is reset. */
  private static final int MAX_VAIN_LOOKS = 4;

  /** The responses and reads that wait for the client. */
  interface Waiting {

    /** Whether reads with large responses have to wait. */
    boolean holdsBack();

    /** Sends and releases what waits, as far as the client has caught up. */
    void drain();
  }

  private final ReceiverBacklog backlog;
  private final Lane lane;
  private boolean looking;
  private int vainLooks;

  /**
   * Creates a watch that does not look.
   *
   * @param backlog the bytes that the client's system has received and the client has not read
   */
  BacklogWatch(ReceiverBacklog backlog, Lane lane) {
    this.backlog = backlog;
    this.lane = lane;
  }

  /** Returns the unread bytes as far as known. Asks the system each time. */
  long bytes() {
    return backlog.bytes();
  }

  /** Schedules one look, after which {@link Waiting#drain} is called. */
  void lookSoon(Waiting waiting) {
    if (!looking) {
      looking = true;
      long before = backlog.bytes();
      lane.schedule(LOOK_NANOS, () -> look(waiting, before));
    }
  }

  private void look(Waiting waiting, long before) {
    looking = false;
    vainLooks = backlog.bytes() < before || !waiting.holdsBack() ? 0 : vainLooks + 1;
    if (vainLooks == MAX_VAIN_LOOKS) {
      vainLooks = 0;
      backlog.forget();
    }
    waiting.drain();
  }
}
