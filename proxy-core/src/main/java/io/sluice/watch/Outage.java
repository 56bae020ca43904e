package io.sluice.watch;

import java.util.concurrent.TimeUnit;

/**
 * Detects that the cluster has been unreachable for so long that it may have moved to other
 * addresses. Not safe for several threads.
 */
final class Outage {

  /** Time without a node that is up before the first reconnect, and between two reconnects. */
  static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private boolean lasting;
  private long since;

  /**
   * Records the current state.
   *
   * @param anyUp whether a node is up
   * @return whether to reconnect now
   */
  boolean seen(boolean anyUp, long nowNanos) {
    if (anyUp || !lasting) {
      lasting = !anyUp;
      since = nowNanos;
      return false;
    }
    boolean due = nowNanos - since >= RECONNECT_NANOS;
    since = due ? nowNanos : since;
    return due;
  }
}
