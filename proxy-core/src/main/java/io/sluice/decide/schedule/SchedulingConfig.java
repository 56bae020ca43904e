package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.setting.Requirements;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings under {@code scheduling}. Immutable.
 *
 * @param mode whether anything is held back
 * @param pointPriority whether a point read may overtake queued range reads; if not, both share one
 *     queue, and nothing passes its head
 * @param rangeOrder which range read goes first
 * @param concurrentReads sub-requests in flight per node (K); 0: as many as the node reports to run
 *     at once
 * @param rangeSlots range sub-requests in flight per node (Kr); 0: found by measuring
 * @param rangeSlotsStart where the search for Kr starts
 * @param rangeSlotsMin lower bound of the search, which only probes go below; at least 1
 * @param rangeShare share of the sub-requests in flight at a node that range sub-requests may
 *     always have, even if that is more than Kr; 0 to 0.9. Only while Kr is found by measuring
 * @param hedgeShare share of the point reads that may also be sent to a second replica because the
 *     first is late; 0 to 0.1, and 0 for none. Only in the mode {@code ENFORCE}
 * @param readTimeout how long a point read may take in all; null for the timeout that the nodes are
 *     configured to
 * @param rangeTimeout how long a range read may take in all; null as for {@code readTimeout}
 * @param pointBacklog share of the read timeout; above 0. A point read is refused when it has to
 *     expect to wait longer, and others did wait that long
 * @param rangeBacklog share of the range timeout, for range reads; above 0. Others must have waited
 *     longer than this and {@code ageing} together
 * @param ageing share of the range timeout after which no later query overtakes a range read,
 *     whatever its cost; 0 to 1
 * @param tenantWeights share of a contended node per tenant, above 0; 1 for a tenant without an
 *     entry
 */
public record SchedulingConfig(
    Mode mode,
    boolean pointPriority,
    RangeOrder rangeOrder,
    int concurrentReads,
    int rangeSlots,
    int rangeSlotsStart,
    int rangeSlotsMin,
    double rangeShare,
    double hedgeShare,
    @Nullable Duration readTimeout,
    @Nullable Duration rangeTimeout,
    double pointBacklog,
    double rangeBacklog,
    double ageing,
    Map<String, Double> tenantWeights) {

  /** Whether anything is held back. */
  public enum Mode {
    /** Queues, orders, limits and refuses. */
    ENFORCE,
    /** Chooses replicas, counts and learns, but starts everything at once. */
    OBSERVE,
    /**
     * Starts everything at once at the first replica that is not suspect, and learns nothing. Range
     * reads go whole, and nodes get no hints: the proxy only forwards.
     */
    PASSTHROUGH
  }

  /** The order of queued range reads. */
  public enum RangeOrder {
    /** The range read that arrived first goes first. */
    FIFO,
    /**
     * The range read with fewer sub-requests goes first, then the one with the smaller LIMIT. Wide
     * ones can starve.
     */
    NARROW_FIRST,
    /**
     * The range read with the least remaining work goes first. Ageing bounds its wait for later
     * ones.
     */
    REMAINING_WORK
  }

  /** Upper bound of {@code rangeShare}: point reads keep a tenth of the sub-requests in flight. */
  private static final double MAX_RANGE_SHARE = 0.9;

  private static final double MAX_HEDGE_SHARE = 0.1;

  private static final Duration USUAL_READ = Duration.ofSeconds(5);
  private static final Duration USUAL_RANGE = Duration.ofSeconds(10);

  /** Lower bound of timeouts. Below it a read is refused before a busy node can return its rows. */
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

  public SchedulingConfig {
    tenantWeights = Map.copyOf(tenantWeights);
    Requirements requirements =
        Requirements.of("scheduling")
            .atLeast("concurrentReads", concurrentReads, 0)
            .atLeast("rangeSlots", rangeSlots, 0)
            .that(
                concurrentReads <= 0 || rangeSlots <= concurrentReads,
                "rangeSlots",
                rangeSlots,
                "must be at most concurrentReads (" + concurrentReads + ")",
                "lower it or raise concurrentReads")
            .atLeast("rangeSlotsMin", rangeSlotsMin, 1)
            .that(
                concurrentReads <= 0 || rangeSlotsMin <= concurrentReads,
                "rangeSlotsMin",
                rangeSlotsMin,
                "must be at most concurrentReads (" + concurrentReads + ")")
            .that(
                rangeSlotsStart >= rangeSlotsMin,
                "rangeSlotsStart",
                rangeSlotsStart,
                "must be at least rangeSlotsMin (" + rangeSlotsMin + ")",
                "raise it or lower rangeSlotsMin")
            .that(
                rangeShare >= 0 && rangeShare <= MAX_RANGE_SHARE,
                "rangeShare",
                rangeShare,
                "must be from 0 to " + MAX_RANGE_SHARE)
            .that(
                hedgeShare >= 0 && hedgeShare <= MAX_HEDGE_SHARE,
                "hedgeShare",
                hedgeShare,
                "must be from 0 to " + MAX_HEDGE_SHARE)
            .atLeast("readTimeout", timeout(USUAL_READ, readTimeout), MIN_TIMEOUT)
            .atLeast("rangeTimeout", timeout(USUAL_RANGE, rangeTimeout), MIN_TIMEOUT)
            .that(pointBacklog > 0, "pointBacklog", pointBacklog, "must be above 0")
            .that(rangeBacklog > 0, "rangeBacklog", rangeBacklog, "must be above 0")
            .that(ageing >= 0 && ageing <= 1, "ageing", ageing, "must be from 0 to 1");
    tenantWeights.forEach(
        (tenant, weight) ->
            requirements.that(
                weight > 0 && Double.isFinite(weight),
                "tenantWeights." + tenant,
                weight,
                "must be above 0"));
    requirements.check();
  }

  /** Whether late point reads may be sent to a second replica. */
  public boolean hedges() {
    return mode == Mode.ENFORCE && hedgeShare > 0;
  }

  /** Returns these settings with another mode. */
  public SchedulingConfig in(Mode other) {
    return with(other, readTimeout, rangeTimeout);
  }

  /** Returns these settings with other timeouts. */
  SchedulingConfig withTimeouts(Duration read, Duration range) {
    return with(mode, read, range);
  }

  private SchedulingConfig with(Mode other, @Nullable Duration read, @Nullable Duration range) {
    return new SchedulingConfig(
        other,
        pointPriority,
        rangeOrder,
        concurrentReads,
        rangeSlots,
        rangeSlotsStart,
        rangeSlotsMin,
        rangeShare,
        hedgeShare,
        read,
        range,
        pointBacklog,
        rangeBacklog,
        ageing,
        tenantWeights);
  }

  /** Returns the timeout, or the lower bound of timeouts if it is shorter. */
  static Duration atLeast(Duration timeout) {
    return timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout;
  }

  private static Duration timeout(Duration usual, @Nullable Duration set) {
    return set == null ? usual : set;
  }

  /** Returns the configured timeout of a class; null without one. */
  public @Nullable Duration setTimeout(PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> readTimeout;
      case RANGE -> rangeTimeout;
    };
  }

  /**
   * Returns the timeout that admission and ageing use: the configured one, else Cassandra's
   * default. A {@link Scheduler} puts the timeouts of the nodes in the place of those that are not
   * configured.
   */
  public Duration timeout(PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> timeout(USUAL_READ, readTimeout);
      case RANGE -> timeout(USUAL_RANGE, rangeTimeout);
    };
  }

  /** Returns the default settings. */
  public static SchedulingConfig defaults() {
    return new SchedulingConfig(
        Mode.ENFORCE,
        true,
        RangeOrder.REMAINING_WORK,
        0,
        0,
        4,
        1,
        0.1,
        0.02,
        null,
        null,
        0.8,
        0.3,
        0.5,
        Map.of());
  }
}
