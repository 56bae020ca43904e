package io.sluice.watch;

import java.util.concurrent.TimeUnit;

/**
 * Tells when the cluster has been out of reach for so long that it may have moved to other
 * addresses. Pure. Not safe for several threads.
 */
final class Outage {

  /** Time without a node that is up until the cluster is looked for, and between two attempts. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private boolean lasting;
  private long since;

  /**
   * Takes notice of the present state.
   *
   * @param anyUp whether a node is up
   * @return whether to look for the cluster now
   */
  boolean seen(boolean anyUp, long nowNanos) {
    if (anyUp || !lasting) {
      lasting = !anyUp;
      since = nowNanos;
      return false;
    }
    boolean due = nowNanos - since >= PATIENCE_NANOS;
    since = due ? nowNanos : since;
    return due;
  }
}
