package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.SharedRows;
import io.sluice.meter.SplitMeters;
import io.sluice.ring.Partitioner;
import io.sluice.wire.Answers;
import io.sluice.wire.Buffers;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan for one piece and its riders, which have left their queues for it. Ends once, with {@link
 * #answered} or {@link #failed}. Used on the lane of the piece that has the slot.
 */
final class SharedScan {

  private final ShareRule.Scan whole;
  private final ShareRule.Scan own;
  private final List<Rider> riders;

  /**
   * Creates a scan that the piece with the slot sends.
   *
   * @param whole the scan that the node gets
   * @param own the scan that the piece with the slot needs
   * @param riders the other pieces that take rows of the answer
   */
  SharedScan(ShareRule.Scan whole, ShareRule.Scan own, List<Rider> riders) {
    this.whole = whole;
    this.own = own;
    this.riders = List.copyOf(riders);
  }

  /** Tells the riders that they wait for this scan. */
  void begin() {
    riders.forEach(Rider::aboard);
  }

  /** Returns the number of riders. */
  int riders() {
    return riders.size();
  }

  /** Returns the scan that the node gets. */
  ShareRule.Scan whole() {
    return whole;
  }

  /**
   * Gives each rider its rows, one after another. A rider whose client has too much unread data is
   * queued again later.
   *
   * @param answer a node's answer, not an error; stays the caller's
   * @return the answer that the piece with the slot would have got alone; null when it must be read
   *     again
   */
  @Nullable Frame answered(
      Frame answer, MergeRule.Concatenate rule, Partitioner partitioner, SplitMeters meters) {
    SharedRows rows = Merger.share(answer, rule, partitioner, Buffers.POOL);
    if (rows == null) {
      failed();
      return null;
    }
    Frame mine = rows.share(own, whole);
    int taken = 0;
    for (Rider rider : riders) {
      if (rider.hasRoom()) {
        taken++;
        rider.ride(share(rows, rider));
      } else {
        rider.postpone();
      }
    }
    meters.shared(rows, taken, Answers.rowCount(answer));
    return mine;
  }

  /**
   * Returns the rows of a rider. An exception becomes null, so that it does not affect other
   * riders.
   */
  private @Nullable Frame share(SharedRows rows, Rider rider) {
    try {
      return rows.share(rider.scan(), whole);
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Makes all riders read for themselves. */
  void failed() {
    riders.forEach(rider -> rider.ride(null));
  }
}
