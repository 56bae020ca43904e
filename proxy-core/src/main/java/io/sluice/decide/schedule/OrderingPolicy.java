package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/**
 * The order of queries, the same in every queue: a lower key goes first. Immutable.
 *
 * <p>For {@code REMAINING_WORK} the key is a virtual deadline in nanoseconds on the scheduler's
 * clock, {@code arrival + min(4 · remaining work, T_age)}. T_age is a share of the timeout of range
 * reads, or of point reads for those that wait among range reads. The key depends only on the
 * query, so two queries have the same order in every queue. The key never exceeds its value at
 * arrival, so no query that arrives after that value can pass. Point reads have a second key for
 * the order among themselves, which never rises either.
 *
 * <p>A query without a deadline may submit sub-requests for minutes. Each of them counts as
 * arriving when it is submitted. By the arrival of their query, they would all precede every query
 * that arrives later than T_age after it.
 */
final class OrderingPolicy {
  /**
   * The multiple of a query's work for which later queries may pass it. A larger one lowers no mean
   * in a closed loop, and not noticeably in an open one, but makes the largest reads wait longer
   * than in a queue in the order of arrival.
   */
  private static final int PATIENCE = 4;

  private final RangeOrder order;
  private final boolean pointPriority;
  private final long ageNanos;
  private final long pointAgeNanos;

  OrderingPolicy(SchedulingConfig config) {
    this.order = config.rangeOrder();
    this.pointPriority = config.pointPriority();
    this.ageNanos = (long) (config.ageing() * config.timeout(PriorityClass.RANGE).toNanos());
    this.pointAgeNanos = (long) (config.ageing() * config.timeout(PriorityClass.POINT).toNanos());
  }

  /** Returns the current key of a sub-request. */
  long key(QueueEntry entry) {
    Query query = entry.query;
    long arrival = arrival(entry);
    long age = ageNanos(entry);
    if (query.facts().share().last()) {
      return lastKey(arrival, age);
    }
    return switch (order) {
      case REMAINING_WORK -> arrival + Math.min(patience(query), age);
      case FIFO -> arrival + (standsBehindPoints(query) ? ageNanos : 0);
      case NARROW_FIRST -> ((long) query.facts().width() << 32) | query.facts().limit();
    };
  }

  /**
   * Returns the time for which later queries may pass. Point reads that wait among range reads age
   * by their own timeout: by that of range reads they would expire before their turn.
   */
  private long ageNanos(QueueEntry entry) {
    return entry.isPoint() && !waitsAsPoint(entry.query) ? pointAgeNanos : ageNanos;
  }

  /**
   * Returns a key behind all queries that arrived at the same time, whatever their work. Except
   * with {@code NARROW_FIRST}, later queries can pass only for a limited time.
   */
  private long lastKey(long arrival, long age) {
    return order == RangeOrder.NARROW_FIRST ? Long.MAX_VALUE - 1 : arrival + age + age / 2;
  }

  private static long arrival(QueueEntry entry) {
    Query query = entry.query;
    return query.hasDeadline() ? query.arrivalNanos() : entry.submittedNanos;
  }

  /**
   * Returns the key of a query among the point reads of its tenant, which places reads of clients
   * with many unfinished reads behind those of others. Against range reads {@link #key} decides.
   * Point reads that are queued last age by their own timeout: by that of range reads they would
   * expire first.
   */
  long keyAmongPoints(QueueEntry entry) {
    if (entry.query.facts().share().last()) {
      return lastKey(arrival(entry), pointAgeNanos);
    }
    return order == RangeOrder.REMAINING_WORK ? entry.query.placeNanos() : key(entry);
  }

  /** Whether queued point reads go first regardless of the keys. */
  boolean pointsFirst() {
    return pointPriority && order == RangeOrder.NARROW_FIRST;
  }

  /**
   * Whether a query waits in the queue of point reads; otherwise it waits in that of range reads.
   */
  boolean waitsAsPoint(Query query) {
    return pointPriority && query.slotClass() == SlotClass.POINT;
  }

  private boolean standsBehindPoints(Query query) {
    return pointPriority && query.priorityClass() == PriorityClass.RANGE;
  }

  private static long patience(Query query) {
    return (long) (PATIENCE * query.remainingMicros() * CostModel.NANOS_PER_MICRO);
  }
}
