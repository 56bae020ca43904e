package io.sluice.exchange;

import io.sluice.meter.HedgeMeters;
import io.sluice.time.EqualDelays;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the point reads in flight for late ones, and bounds how many of them get a second
 * request. Each lane has its own part, so that a read takes no lock and allocates nothing here.
 * Safe for any thread.
 */
public final class Hedges {

  private final NanoClock clock;
  private final HedgeMeters meters;
  private final ConcurrentHashMap<Lane, OnLane> byLane = new ConcurrentHashMap<>();

  /** Creates an empty set of reads. */
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

  /** The reads of one lane, used on that lane only. */
  static final class OnLane {

    /** The shortest delay: a faster read is not worth a second request. */
    private static final long MIN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** The longest delay: a node that is silent for longer is detected in other ways. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The most second requests that reads may save up while none is late. */
    private static final int MAX_EARNED = 20;

    /** Each power of two has four lengths, so that a delay is at most a quarter too long. */
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
     * Registers a read that is sent. The read is notified when it is late, unless it is called off
     * before.
     *
     * @param lateNanos approximate time after which the read is late
     * @param share the fraction of a second request that each read earns
     */
    void sent(EqualDelays.Entry read, long lateNanos, double share) {
      earned = Math.min(MAX_EARNED, earned + share);
      if (lateNanos <= MAX_NANOS) {
        delays(Math.max(MIN_NANOS, lateNanos)).add(read);
      }
    }

    /** Returns the timer queue for delays of about {@code nanos}. */
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

    /** Takes the right to send one more second request; false when there is none. */
    boolean take() {
      if (earned < 1) {
        return false;
      }
      earned--;
      return true;
    }

    /** Gives back the right to a second request that is not sent. */
    void giveBack() {
      earned++;
    }

    HedgeMeters meters() {
      return meters;
    }
  }
}
