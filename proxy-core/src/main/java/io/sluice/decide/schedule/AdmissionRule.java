package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule that refuses a request when a node's queue is too long. Immutable.
 *
 * <p>The rule uses measured waits and never the estimated cost of reads: estimates that were ten
 * times too high refused reads that the node would have answered in time. It refuses a read when
 * all of this is true: every slot is taken; at least one more round of reads waits; the expected
 * wait is above the backlog limit; reads did wait longer than the limit; and the tenant has at
 * least an equal part of the reads that wait. Only reads that wait for the same slots count, and
 * not those that are queued last, unless the read is one of them. The expected wait follows from
 * the number of queued reads and the rate at which they start. For range reads, the time for which
 * others may pass them is added to the limit on actual waits. Point reads that wait among range
 * reads have the limit of point reads on the waits of each other, and that limit with the same
 * addition on the waits of range reads. Reads in flight do not count, so one huge scan at an idle
 * node refuses nothing.
 */
final class AdmissionRule {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Limit point;
  private final Limit range;

  /** The limit of point reads on the waits of range reads. */
  private final Limit pointAmongRanges;

  /**
   * The limits of one class.
   *
   * @param reads the name of the class
   * @param key the setting of the backlog limit
   * @param expectedNanos the backlog limit
   * @param longestNanos the limit on actual waits
   * @param settings the settings that the latter follows from
   */
  private record Limit(
      String reads, String key, double expectedNanos, double longestNanos, String settings) {}

  AdmissionRule(SchedulingConfig config) {
    Duration pointTimeout = config.timeout(PriorityClass.POINT);
    Duration rangeTimeout = config.timeout(PriorityClass.RANGE);
    double ofPoint = config.pointBacklog() * pointTimeout.toNanos();
    double ofRange = config.rangeBacklog() * rangeTimeout.toNanos();
    double ageing = config.ageing() * rangeTimeout.toNanos();
    String pointText = "scheduling.pointBacklog " + config.pointBacklog() + of(pointTimeout);
    String ageingText = config.ageing() > 0 ? " + scheduling.ageing " + config.ageing() : "";
    this.point = new Limit("Point", "pointBacklog", ofPoint, ofPoint, pointText);
    this.range =
        new Limit(
            "Range",
            "rangeBacklog",
            ofRange,
            ofRange + ageing,
            "scheduling.rangeBacklog " + config.rangeBacklog() + ageingText + of(rangeTimeout));
    this.pointAmongRanges =
        new Limit(
            "Large point",
            "pointBacklog",
            ofPoint,
            ofPoint + ageing,
            ageingText.isEmpty() ? pointText : pointText + "," + ageingText + of(rangeTimeout));
  }

  private static String of(Duration timeout) {
    return ", of " + timeout.toMillis() + " ms";
  }

  /**
   * Returns the reason to refuse one more read, or null to admit it.
   *
   * @param entries those of the node
   */
  @Nullable Refusal refusal(QueueEntry entry, NodeEntries entries, PermitLedger ledger, long now) {
    WaitStats waits = entries.stats().waits(entry);
    if (hasRoom(waits, entry.slotClass(), ledger) || !entries.hasEqualPart(entry)) {
      return null;
    } else if (!entry.isPoint()) {
      return refusal(range, waits, waits.longestWaitNanos(now), now);
    }
    Refusal ofPoints = refusal(point, waits, waits.longestPointWaitNanos(now), now);
    return ofPoints == null
        ? refusal(pointAmongRanges, waits, waits.longestWaitNanos(now), now)
        : ofPoints;
  }

  private static boolean hasRoom(WaitStats waits, SlotClass slot, PermitLedger ledger) {
    int round = slot == SlotClass.POINT ? ledger.slots() : ledger.rangeSlots();
    return ledger.hasSlotFor(slot) || waits.queued() < round;
  }

  private static @Nullable Refusal refusal(Limit limit, WaitStats waits, long longest, long now) {
    double expected = waits.expectedWaitNanos(now);
    return expected > limit.expectedNanos() && longest > limit.longestNanos()
        ? refusal(limit, waits.queued(), expected, longest)
        : null;
  }

  private static Refusal refusal(Limit limit, int queued, double expected, long longest) {
    return new Refusal(
        Refusal.Reason.OVERLOADED,
        String.format(
            Locale.ROOT,
            "%s reads have to wait about %.0f ms for this node (%d wait), and have waited up to"
                + " %.0f ms, more than %.0f ms (%s);"
                + " send fewer at once, try again later, or raise scheduling.%s",
            limit.reads(),
            expected / NANOS_PER_MILLI,
            queued,
            longest / NANOS_PER_MILLI,
            limit.longestNanos() / NANOS_PER_MILLI,
            limit.settings(),
            limit.key()));
  }
}
