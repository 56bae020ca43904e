package io.sluice.accept;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * Ends the service of a connection, at once or when the connection is quiet. After
 * GRACEFUL_DISCONNECT a client sends nothing new, waits for its responses and closes. Requests sent
 * before the client knew are still served. Service ends when no request has arrived for a while.
 * Not safe for several threads: one lane.
 */
final class GracefulEnd {

  /** Longer than the network delay of a request that was sent before the client knew. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A client that still sends after this many looks does not know the event. */
  private static final long PATIENCE_LOOKS = 5;

  private final Lane lane;
  private final Runnable ending;
  private boolean begun;
  private boolean over;
  private boolean asked;
  private int looks;

  /**
   * Creates an end that has not begun.
   *
   * @param ending called once, when no new request is served; requests in flight are still answered
   */
  GracefulEnd(Lane lane, Runnable ending) {
    this.lane = lane;
    this.ending = ending;
  }

  /**
   * Ends service when the connection is quiet.
   *
   * @return whether this is the first call; false when service has ended before
   */
  boolean begin() {
    boolean first = !begun && !over;
    if (first) {
      begun = true;
      lookLater();
    }
    return first;
  }

  /** Ends service now. */
  void atOnce() {
    if (!over) {
      over = true;
      ending.run();
    }
  }

  /** Whether service has ended. New requests are refused then. */
  boolean isOver() {
    return over;
  }

  /** Notes that a request has arrived. */
  void asked() {
    asked = true;
  }

  private void lookLater() {
    asked = false;
    lane.schedule(QUIET_NANOS, this::look);
  }

  private void look() {
    looks++;
    if (asked && looks < PATIENCE_LOOKS) {
      lookLater();
    } else {
      atOnce();
    }
  }
}
