package io.sluice.exchange.range;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.SharedRows;
import io.sluice.meter.SplitMeters;
import io.sluice.ring.Partitioner;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan for one piece and its riders, which have given their turns up for it. Ends once, with
 * {@link #answered} or {@link #failed}. Used on the lane of the piece whose turn it was.
 */
final class SharedScan {

  private final ShareRule.Scan whole;
  private final ShareRule.Scan own;
  private final List<Rider> riders;

  /**
   * Not sent yet.
   *
   * @param whole the rows that are read
   * @param own the rows of it that the piece whose turn it is wants
   * @param riders the other pieces that take rows of it
   */
  SharedScan(ShareRule.Scan whole, ShareRule.Scan own, List<Rider> riders) {
    this.whole = whole;
    this.own = own;
    this.riders = List.copyOf(riders);
  }

  /** How many other pieces take rows of it. */
  int riders() {
    return riders.size();
  }

  /** What is to be read. */
  ShareRule.Scan whole() {
    return whole;
  }

  /**
   * Gives each rider its rows, one after another. A rider whose client has too much unread by then
   * asks again.
   *
   * @param answer a node's, not an error; stays the caller's
   * @return the answer that the piece whose turn it was would have got alone; null when it has to
   *     ask for itself
   */
  @Nullable Frame answered(
      Frame answer, MergeRule.Concatenate rule, Partitioner partitioner, SplitMeters meters) {
    SharedRows rows = Merger.share(answer, rule, partitioner, PooledByteBufAllocator.DEFAULT);
    if (rows == null) {
      failed();
      return null;
    }
    Frame mine = rows.share(own);
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

  /** Rows that cannot be made out are no reason to leave the other riders without an answer. */
  private static @Nullable Frame share(SharedRows rows, Rider rider) {
    try {
      return rows.share(rider.scan());
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Each of them has to ask for itself. */
  void failed() {
    riders.forEach(rider -> rider.ride(null));
  }
}
