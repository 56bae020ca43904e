package io.sluice.accept;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection's service, at once or when it is quiet. A client that was told of it by
 * GRACEFUL_DISCONNECT sends nothing new, waits for its answers and closes. What it sent before it
 * knew is served still, and service ends when the connection has been quiet for a while. Not safe
 * for several threads: one lane.
 */
final class GracefulEnd {

  /** Longer than a request is on its way that was sent before the client knew. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A client that sends on for so long has not understood. */
  private static final long PATIENCE_LOOKS = 5;

  private final Lane lane;
  private final Runnable ending;
  private boolean begun;
  private boolean over;
  private boolean asked;
  private int looks;

  /**
   * An end that has not begun.
   *
   * @param ending called once, when nothing more is to be served; what is unanswered then is still
   *     to be answered
   */
  GracefulEnd(Lane lane, Runnable ending) {
    this.lane = lane;
    this.ending = ending;
  }

  /**
   * Ends service when the connection is quiet.
   *
   * @return whether that is news; false from the second time on
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

  /** Whether nothing new is served. */
  boolean isOver() {
    return over;
  }

  /** A request has arrived. */
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
