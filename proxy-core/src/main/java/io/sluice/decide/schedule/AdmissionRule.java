package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule that refuses a request when a node's queue is too long. Immutable.
 *
 * <p>How long a queue will take is a poor estimate where nodes share cores: a node that gets little
 * while others are busy gets more when they are done, and estimates four times the real waiting
 * were seen. So an estimate alone refuses nobody it is not hopeless for. One more is refused when
 * every slot is taken, at least one more round waits, what waits will take longer than the backlog
 * limit by the estimate, and reads really waited too long lately: longer than the limit and, for
 * range reads, the time they may be passed by others. What is in flight does not count, so one huge
 * scan at an idle node refuses nothing.
 */
final class AdmissionRule {
  /** A backlog of so many timeouts is hopeless even if it is overestimated as badly as was seen. */
  private static final double HOPELESS = 3;

  private static final double NANOS_PER_MILLI = 1e6;

  private final Limit point;
  private final Limit range;
  private final boolean pointPriority;

  /** A class's limits, ns; {@code share} of {@code timeout} is the backlog limit. */
  private record Limit(
      String name, String key, double share, Duration timeout, double passedNanos) {
    double backlog() {
      return share * timeout.toNanos();
    }

    boolean isExceeded(double backlog, long longestWait) {
      return backlog > backlog()
          && (longestWait > backlog() + passedNanos || backlog > HOPELESS * timeout.toNanos());
    }
  }

  AdmissionRule(SchedulingConfig config) {
    this.pointPriority = config.pointPriority();
    this.point = new Limit("Point", "pointBacklog", config.pointBacklog(), config.readTimeout(), 0);
    this.range =
        new Limit(
            "Range",
            "rangeBacklog",
            config.rangeBacklog(),
            config.rangeTimeout(),
            config.ageing() * config.rangeTimeout().toNanos());
  }

  /** Why one more point read is refused; null when it is let in. */
  @Nullable Refusal point(
      ClassStats points, ClassStats ranges, PermitLedger ledger, double rate, long now) {
    if (ledger.hasSlotFor(PriorityClass.POINT) || points.queued() < ledger.slots()) {
      return null;
    }
    long passable = pointPriority ? 0 : ranges.queuedNanos();
    double backlog = (points.queuedNanos() + passable) / rate;
    return check(point, backlog, points.longestWaitNanos(now));
  }

  /** Why one more range read is refused; null when it is let in. */
  @Nullable Refusal range(
      ClassStats points, ClassStats ranges, PermitLedger ledger, double rate, long now) {
    if (ledger.hasSlotFor(PriorityClass.RANGE) || ranges.queued() < ledger.rangeSlots()) {
      return null;
    }
    double backlog = (points.queuedNanos() + ranges.queuedNanos()) / rate;
    return check(range, backlog, ranges.longestWaitNanos(now));
  }

  private static @Nullable Refusal check(Limit limit, double backlog, long longestWait) {
    return limit.isExceeded(backlog, longestWait) ? refusal(limit, backlog) : null;
  }

  private static Refusal refusal(Limit limit, double backlog) {
    return new Refusal(
        Refusal.Reason.OVERLOADED,
        String.format(
            Locale.ROOT,
            "%s reads wait %.0f ms for this node, more than %.0f ms (scheduling.%s %s of %d ms);"
                + " send fewer at once, try again later, or raise scheduling.%s",
            limit.name(),
            backlog / NANOS_PER_MILLI,
            limit.backlog() / NANOS_PER_MILLI,
            limit.key(),
            limit.share(),
            limit.timeout().toMillis(),
            limit.key()));
  }
}
