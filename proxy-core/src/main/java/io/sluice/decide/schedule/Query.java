package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.PriorityClass;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client request as the scheduler sees it. {@link Scheduler#query} creates it. All its
 * sub-requests, in all waves and retries, belong to the same query, and so keep its place. Safe for
 * any thread.
 */
public final class Query {
  /** Limit on how far a client's other point reads put a point read back. */
  private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final QueryFacts facts;
  private final long sequence;
  private final long arrivalNanos;
  private final TableCosts costs;
  private final double rows;
  private final SlotClass slotClass;
  private final long delayNanos;
  private volatile double remainingMicros;
  private volatile boolean admitted;

  private @Nullable Object companion;

  @GuardedBy("this")
  private final OpenEntries open = new OpenEntries();

  Query(
      QueryFacts facts,
      long sequence,
      long arrivalNanos,
      TableCosts costs,
      double rows,
      SlotClass slotClass) {
    this.facts = facts;
    this.sequence = sequence;
    this.arrivalNanos = arrivalNanos;
    this.costs = costs;
    this.rows = rows;
    this.slotClass = slotClass;
    this.remainingMicros = costs.estimate(rows, facts.width());
    this.delayNanos = delayNanos(facts, arrivalNanos, remainingMicros * CostModel.NANOS_PER_MICRO);
  }

  /** Returns the arrival number among all requests of this proxy. The lower number breaks ties. */
  public long sequence() {
    return sequence;
  }

  /** Returns when the request arrived, on the scheduler's clock. */
  public long arrivalNanos() {
    return arrivalNanos;
  }

  /**
   * Returns the time by which point reads of one tenant are ordered. It is when this read would
   * arrive if its client sent its point reads one at a time and each took as long as this one. It
   * is at most a second after the arrival, but never before the client's earlier reads. For a
   * client without other unfinished point reads it is the arrival.
   */
  public long placeNanos() {
    return arrivalNanos + delayNanos;
  }

  private static long delayNanos(QueryFacts facts, long arrivalNanos, double workNanos) {
    int ahead = facts.others().underWay();
    return ahead == 0
        ? 0
        : Math.max(
            (long) Math.min(ahead * workNanos, (double) MAX_DELAY_NANOS),
            facts.others().latestNanos() - arrivalNanos);
  }

  /** Whether the request must be answered by a time that is known at its arrival. */
  public boolean hasDeadline() {
    return facts.deadlineNanos() < QueryFacts.NO_DEADLINE;
  }

  /** Returns the deadline, after which an answer is useless, on the scheduler's clock. */
  public long deadlineNanos() {
    return facts.deadlineNanos();
  }

  /** Returns the class of the request. */
  public PriorityClass priorityClass() {
    return facts.priorityClass();
  }

  /**
   * Returns how many rows the request will probably read in all, as predicted at its arrival: those
   * of its facts, or more if the same read returned more the last time.
   */
  public double rows() {
    return rows;
  }

  /** Returns the remaining work, µs; at arrival the estimate of the whole work. It never rises. */
  public double remainingMicros() {
    return remainingMicros;
  }

  /** Predicts the work of one request for {@code rows} of the table, ns, by the current costs. */
  public double workNanos(double rows) {
    return costs.estimate(rows, 1) * CostModel.NANOS_PER_MICRO;
  }

  /** Predicts the size of an answer with {@code rows} of the table, by the current costs. */
  public long bytes(double rows) {
    return Math.round(costs.bytesIn(rows));
  }

  /** Returns the object that {@link #companion(Object)} attached last; null before. */
  public @Nullable Object companion() {
    return companion;
  }

  /**
   * Attaches an object for the scheduler's {@link SchedulerWitness}, which uses it on one thread.
   */
  public void companion(Object mine) {
    companion = mine;
  }

  /**
   * Returns how many rows of the table are read in {@code micros}, apart from the fixed cost of a
   * read.
   */
  public double rowsReadIn(double micros) {
    return costs.rowsReadIn(micros);
  }

  /** Returns the facts that the query was created from. */
  public QueryFacts facts() {
    return facts;
  }

  TableCosts costs() {
    return costs;
  }

  /** Returns the slots that the query takes; they never change. */
  SlotClass slotClass() {
    return slotClass;
  }

  /**
   * Whether a part of the query was admitted. The other parts are then not refused for the backlog.
   */
  boolean admitted() {
    return admitted;
  }

  void admit() {
    admitted = true;
  }

  /** Lowers the remaining work, and returns whether that changed anything. */
  synchronized boolean lower(double workMicros) {
    if (!(workMicros < remainingMicros)) {
      return false;
    }
    remainingMicros = Math.max(0, workMicros);
    return true;
  }

  /** Adds an entry before it is queued anywhere, so that a later visit finds it. */
  synchronized void add(OpenEntries.Entry entry) {
    open.add(entry);
  }

  /** Removes an entry that was started or has ended. Does nothing if it was removed before. */
  synchronized void remove(OpenEntries.Entry entry) {
    open.remove(entry);
  }

  /**
   * Calls {@code action} with every entry that is neither started nor ended, without holding the
   * lock. Entries are visited from the last place to the first. An entry removed meanwhile is
   * replaced by one that was visited already, or by a new one at the same place.
   */
  void forEachOpen(Consumer<OpenEntries.Entry> action) {
    int place = lastPlace();
    while (place >= 0) {
      OpenEntries.Entry entry = openAt(place);
      if (entry != null) {
        action.accept(entry);
      }
      place--;
    }
  }

  private synchronized int lastPlace() {
    return open.size() - 1;
  }

  private synchronized OpenEntries.@Nullable Entry openAt(int place) {
    return place < open.size() ? open.get(place) : null;
  }
}
