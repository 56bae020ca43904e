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
 * others may pass them is added to the limit on actual waits. Reads in flight do not count, so one
 * huge scan at an idle node refuses nothing.
 */
final class AdmissionRule {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Limit point;
  private final Limit range;

  /** The limits of one class. The backlog limit is {@code share} of {@code timeout}. */
  private record Limit(String name, String key, double share, double ageing, Duration timeout) {

    double expectedNanos() {
      return share * timeout.toNanos();
    }

    double longestNanos() {
      return (share + ageing) * timeout.toNanos();
    }
  }

  AdmissionRule(SchedulingConfig config) {
    this.point =
        new Limit(
            "Point", "pointBacklog", config.pointBacklog(), 0, config.timeout(PriorityClass.POINT));
    this.range =
        new Limit(
            "Range",
            "rangeBacklog",
            config.rangeBacklog(),
            config.ageing(),
            config.timeout(PriorityClass.RANGE));
  }

  /**
   * Returns the reason to refuse one more read, or null to admit it.
   *
   * @param entries those of the node
   */
  @Nullable Refusal refusal(QueueEntry entry, NodeEntries entries, PermitLedger ledger, long now) {
    WaitStats waits = entries.stats().waits(entry);
    return hasRoom(waits, entry.slotClass(), ledger) || !entries.hasEqualPart(entry)
        ? null
        : refusal(entry.isPoint() ? point : range, waits, now);
  }

  private static boolean hasRoom(WaitStats waits, SlotClass slot, PermitLedger ledger) {
    int round = slot == SlotClass.POINT ? ledger.slots() : ledger.rangeSlots();
    return ledger.hasSlotFor(slot) || waits.queued() < round;
  }

  private static @Nullable Refusal refusal(Limit limit, WaitStats waits, long now) {
    double expected = waits.expectedWaitNanos(now);
    long longest = waits.longestWaitNanos(now);
    return expected > limit.expectedNanos() && longest > limit.longestNanos()
        ? refusal(limit, waits.queued(), expected, longest)
        : null;
  }

  private static Refusal refusal(Limit limit, int queued, double expected, long longest) {
    String ageing = limit.ageing() > 0 ? " + scheduling.ageing " + limit.ageing() : "";
    return new Refusal(
        Refusal.Reason.OVERLOADED,
        String.format(
            Locale.ROOT,
            "%s reads have to wait about %.0f ms for this node (%d wait), and have waited up to"
                + " %.0f ms, more than %.0f ms (scheduling.%s %s%s, of %d ms);"
                + " send fewer at once, try again later, or raise scheduling.%s",
            limit.name(),
            expected / NANOS_PER_MILLI,
            queued,
            longest / NANOS_PER_MILLI,
            limit.longestNanos() / NANOS_PER_MILLI,
            limit.key(),
            limit.share(),
            ageing,
            limit.timeout().toMillis(),
            limit.key()));
  }
}
