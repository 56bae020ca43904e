package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.divide.FleetShare;
import io.sluice.decide.divide.FleetValues;
import io.sluice.decide.divide.FleetView;

/**
 * The range slots of all nodes, divided among the proxies of a fleet by what their range reads
 * need. It writes this proxy's need into its heartbeats, computes this proxy's part from the
 * heartbeats of the others, and tells it the scheduler. It has no thread. Safe for any thread.
 */
public final class FleetSlots {

  /** The name of the entry in a heartbeat. A proxy of an earlier version skips it. */
  static final String NAME = "rangeSlots";

  /** A smaller demand is none. */
  private static final double MIN = 0.01;

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final FleetShare share = new FleetShare(1, false);

  @GuardedBy("this")
  private double demand;

  @GuardedBy("this")
  private int looks;

  @GuardedBy("this")
  private RangePart used = RangePart.WHOLE;

  private FleetSlots(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Divides the slots of a scheduler. Until the others are seen, this proxy uses a tenth. */
  public static FleetSlots of(Scheduler scheduler) {
    FleetSlots slots = new FleetSlots(scheduler);
    slots.use();
    return slots;
  }

  /** Returns the entry for the heartbeat {@code beat}. */
  public synchronized String entry(long beat) {
    demand = (demand + scheduler.takeRangeNeed()) / 2;
    if (demand < MIN) {
      demand = 0;
    }
    String entry = FleetValues.entry(NAME, share.publish(beat, demand, 0));
    use();
    return entry;
  }

  /** Takes over the others' heartbeats, read together with this proxy's own one. */
  public synchronized void received(FleetView view) {
    looks = Math.min(FleetShare.FIRST_LOOKS, looks + 1);
    share.received(view.beat(), FleetValues.read(view).of(NAME));
    use();
  }

  /**
   * Uses an equal part, or a larger one that this proxy already had, because the other proxies
   * cannot be reached.
   *
   * @param members the proxies that were seen last, this one included; at least 1
   */
  public synchronized void othersUnreachable(int members) {
    looks = FleetShare.FIRST_LOOKS;
    share.othersUnreachable(members);
    use();
  }

  /** Returns this proxy's part of the range slots of each node, above 0 and at most 1. */
  public synchronized double part() {
    return used.share();
  }

  /** A proxy that has only the minimum of its start cannot search by it. */
  private synchronized void use() {
    RangePart next = new RangePart(share.allowed(), looks == FleetShare.FIRST_LOOKS);
    if (!next.equals(used)) {
      used = next;
      scheduler.rangeParts(node -> next);
    }
  }
}
