package io.sluice.accept;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection whose client was told of it by GRACEFUL_DISCONNECT: the client sends
 * nothing new, waits for its answers and closes. What it sent before it knew is served still, and a
 * connection that it leaves open is closed when it has been quiet for a while. Not safe for several
 * threads: one lane.
 */
final class GracefulEnd {

  /** Longer than a request is on its way that was sent before the client knew. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A client that sends on for so long has not understood. */
  private static final long PATIENCE_LOOKS = 5;

  private final Lane lane;
  private final Runnable ending;
  private boolean begun;
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

  /** The client was told. Does nothing the second time. */
  void begin() {
    if (!begun) {
      begun = true;
      lookLater();
    }
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
      ending.run();
    }
  }
}
