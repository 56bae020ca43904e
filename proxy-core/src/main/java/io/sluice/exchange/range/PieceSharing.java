package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.share.ShareRule;
import io.sluice.time.Timer;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The shared scans of one piece, of which it sends some and rides on others. A scan that has failed
 * is not repeated: the piece and its riders are then read alone, because an error may be due to the
 * size. Not safe for several threads: its client's lane.
 */
final class PieceSharing {

  private final PageContext page;
  private final PieceListener listener;
  private @Nullable SharedScan scan;
  private Timer.@Nullable Timeout rideTimeout;
  private boolean alone;

  PieceSharing(PageContext page, PieceListener listener) {
    this.page = page;
    this.listener = listener;
  }

  /** Whether the piece must be read without others, and directly. */
  boolean isAlone() {
    return alone;
  }

  /** Reads the piece without others from now on. */
  void readAlone() {
    alone = true;
  }

  /**
   * Begins the scan that the piece sends.
   *
   * @param next the scan; null if the piece has no riders
   * @return the scan that the node gets; null for the piece itself
   */
  ShareRule.@Nullable Scan begin(@Nullable SharedScan next) {
    scan = next;
    if (next == null) {
      return null;
    }
    next.begin();
    return next.whole();
  }

  /**
   * Begins to wait for the rows of another piece's scan, for half of the time that is left. The
   * rest is for the piece itself: the other piece may have more time than this one.
   *
   * @param late runs when the time is over
   */
  void beginRide(Runnable late) {
    rideTimeout = page.lane().schedule(Math.max(0, listener.leftNanos() / 2), late);
  }

  /** Ends the wait. Does nothing if there is none. */
  void endRide() {
    if (rideTimeout != null) {
      rideTimeout.cancel();
      rideTimeout = null;
    }
  }

  /** Whether the request in flight is for a shared scan. */
  boolean isShared() {
    return scan != null;
  }

  /** Returns the number of other pieces in the scan that is in flight. */
  int riders() {
    return scan == null ? 0 : scan.riders();
  }

  /**
   * Ends the scan with a node's answer that is no error. Each rider gets its rows.
   *
   * @param answer stays the caller's
   * @return the rows of the piece itself; null when it must be read again
   */
  @Nullable Frame answered(Frame answer) {
    SharedScan ended = scan;
    scan = null;
    if (ended == null) {
      return null;
    }
    MergeRule.Concatenate rule = (MergeRule.Concatenate) page.plan().merge();
    return ended.answered(answer, rule, page.partitioner(), page.split().meters());
  }

  /** Ends the scan without rows. Its pieces are read alone. Does nothing without a scan. */
  void failed() {
    SharedScan ended = scan;
    scan = null;
    if (ended != null) {
      ended.failed();
      alone = true;
    }
  }
}
