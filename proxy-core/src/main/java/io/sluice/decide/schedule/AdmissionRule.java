package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When a node's queue is too long for one more. Immutable.
 *
 * <p>An estimate alone refuses nobody: every slot must be taken, at least one more round must be
 * waiting, and either those started lately really waited longer than the limit and what waits now
 * will too, or what waits now is estimated at twice the limit. What is in flight does not count.
 */
final class AdmissionRule {
  private static final double BEYOND_DOUBT = 2;
  private static final double NANOS_PER_MILLI = 1e6;

  private final SchedulingConfig config;

  AdmissionRule(SchedulingConfig config) {
    this.config = config;
  }

  /** Why one more read of that class is refused; null when it is let in. */
  @Nullable Refusal check(
      PriorityClass priorityClass,
      ClassTally points,
      ClassTally ranges,
      PermitLedger ledger,
      double rate) {
    boolean point = priorityClass == PriorityClass.POINT;
    ClassTally own = point ? points : ranges;
    int round = point ? ledger.slots() : ledger.rangeSlots();
    if (ledger.hasSlotFor(priorityClass) || own.queued() < round) {
      return null;
    }
    double backlog = ahead(point, points, ranges) / rate;
    double most = mostNanos(point);
    boolean reallyWaits = own.recentWaitNanos() > most;
    return backlog > most && (reallyWaits || backlog > BEYOND_DOUBT * most)
        ? refusal(point, backlog, most)
        : null;
  }

  private double ahead(boolean point, ClassTally points, ClassTally ranges) {
    boolean passesRanges = point && config.pointPriority();
    return points.queuedNanos() + (passesRanges ? 0.0 : ranges.queuedNanos());
  }

  private double mostNanos(boolean point) {
    return point
        ? config.pointBacklog() * config.readTimeout().toNanos()
        : config.rangeBacklog() * config.rangeTimeout().toNanos();
  }

  private Refusal refusal(boolean point, double backlog, double most) {
    String key = point ? "pointBacklog" : "rangeBacklog";
    double share = point ? config.pointBacklog() : config.rangeBacklog();
    Duration timeout = point ? config.readTimeout() : config.rangeTimeout();
    return new Refusal(
        Refusal.Reason.OVERLOADED,
        String.format(
            Locale.ROOT,
            "%s reads wait %.0f ms for this node, more than %.0f ms (scheduling.%s %s of %d ms);"
                + " send fewer at once, try again later, or raise scheduling.%s",
            point ? "Point" : "Range",
            backlog / NANOS_PER_MILLI,
            most / NANOS_PER_MILLI,
            key,
            share,
            timeout.toMillis(),
            key));
  }
}
