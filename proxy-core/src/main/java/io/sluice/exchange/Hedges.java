package io.sluice.exchange;

import io.sluice.meter.HedgeMeters;
import io.sluice.time.EqualDelays;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The point reads that are under way at a replica and may become late, and how many of them may
 * have a second request. Each lane has its own, so that a read costs no lock and no memory here.
 * Safe for any thread.
 */
public final class Hedges {

  private final NanoClock clock;
  private final HedgeMeters meters;
  private final ConcurrentHashMap<Lane, OnLane> byLane = new ConcurrentHashMap<>();

  /** Knows no read yet. */
  public Hedges(NanoClock clock, HedgeMeters meters) {
    this.clock = clock;
    this.meters = meters;
  }

  OnLane of(Lane lane) {
    OnLane known = byLane.get(lane);
    return known != null
        ? known
        : byLane.computeIfAbsent(lane, each -> new OnLane(each, clock, meters));
  }

  /** Those of one lane, used on that lane only. */
  static final class OnLane {

    /** A read that takes no longer is not worth a second request. */
    private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(500);

    /** After that a node that is silent is noticed in other ways. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(2);

    /** Second requests that reads of a quiet time may leave to a bad one. */
    private static final int MOST = 20;

    /** Lengths to a power of two, so that a delay is at most a quarter longer than asked for. */
    private static final int PARTS_BITS = 2;

    private final Lane lane;
    private final NanoClock clock;
    private final HedgeMeters meters;
    private final @Nullable EqualDelays[] byLength = new EqualDelays[Long.SIZE << PARTS_BITS];
    private double earned;

    private OnLane(Lane lane, NanoClock clock, HedgeMeters meters) {
      this.lane = lane;
      this.clock = clock;
      this.meters = meters;
    }

    /**
     * A read is sent, and is told when it is late unless it is called off before.
     *
     * @param lateNanos after how long that is, about
     * @param share second requests that a read earns
     */
    void sent(EqualDelays.Entry read, long lateNanos, double share) {
      earned = Math.min(MOST, earned + share);
      if (lateNanos <= LONGEST) {
        delays(Math.max(SHORTEST, lateNanos)).add(read);
      }
    }

    /** Reads that wait for about as long wait together. */
    private EqualDelays delays(long nanos) {
      int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos - 1) - PARTS_BITS;
      long parts = ((nanos - 1) >> bits) + 1;
      int index = (bits << PARTS_BITS) + (int) (parts & ((1 << PARTS_BITS) - 1));
      EqualDelays delays = byLength[index];
      if (delays == null) {
        delays = new EqualDelays(parts << bits, clock, lane);
        byLength[index] = delays;
      }
      return delays;
    }

    /** Whether one more second request may be sent; it counts as sent then. */
    boolean take() {
      if (earned < 1) {
        return false;
      }
      earned--;
      return true;
    }

    /** What was taken is not sent. */
    void giveBack() {
      earned++;
    }

    HedgeMeters meters() {
      return meters;
    }
  }
}
