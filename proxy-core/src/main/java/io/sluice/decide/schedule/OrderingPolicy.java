package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/**
 * The order of queries, the same in every queue: a lower key goes first. Immutable.
 *
 * <p>For {@code REMAINING_WORK} the key is a virtual deadline in nanoseconds on the scheduler's
 * clock, {@code arrival + min(trust · remaining work, T_age)}. It depends on nothing but the query,
 * so two queries stand in the same order wherever they meet; and since it never exceeds its value
 * at arrival, no query that arrives after that passes. Point reads have a second key for the order
 * among themselves, which never rises either.
 */
final class OrderingPolicy {
  private static final double NANOS_PER_MICRO = 1000;

  private final RangeOrder order;
  private final boolean pointPriority;
  private final long ageNanos;

  OrderingPolicy(SchedulingConfig config) {
    this.order = config.rangeOrder();
    this.pointPriority = config.pointPriority();
    this.ageNanos = (long) (config.ageing() * config.timeout(PriorityClass.RANGE).toNanos());
  }

  /** The key of all sub-requests of {@code query} now. */
  long key(Query query) {
    if (query.facts().last()) {
      return lastKey(query);
    }
    return switch (order) {
      case REMAINING_WORK -> query.arrivalNanos() + Math.min(patience(query), ageNanos);
      case FIFO -> query.arrivalNanos() + (standsBehindPoints(query) ? ageNanos : 0);
      case NARROW_FIRST -> ((long) query.facts().width() << 32) | query.facts().limit();
    };
  }

  /** Behind what came at the same time, whatever that costs; later ones pass for a while only. */
  private long lastKey(Query query) {
    return order == RangeOrder.NARROW_FIRST
        ? Long.MAX_VALUE - 1
        : query.arrivalNanos() + ageNanos + ageNanos / 2;
  }

  /**
   * The key of a query among the point reads of its tenant: those of a client with many under way
   * let those of others pass. Range reads go by {@link #key} all the same.
   */
  long keyAmongPoints(Query query) {
    return order == RangeOrder.REMAINING_WORK ? query.placeNanos() : key(query);
  }

  /** Whether waiting point reads go first whatever the keys say. */
  boolean pointsFirst() {
    return pointPriority && order == RangeOrder.NARROW_FIRST;
  }

  /** Whether a query waits among the point reads; otherwise in the line of the range reads. */
  boolean waitsAsPoint(Query query) {
    return pointPriority && query.slotClass() == SlotClass.POINT && !query.facts().last();
  }

  private boolean standsBehindPoints(Query query) {
    return pointPriority && query.priorityClass() == PriorityClass.RANGE;
  }

  private static long patience(Query query) {
    return (long) (query.trust() * query.remainingMicros() * NANOS_PER_MICRO);
  }
}
