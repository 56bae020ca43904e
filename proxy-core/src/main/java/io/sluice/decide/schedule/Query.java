package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.PriorityClass;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client request, as the queues see it. Made by {@link Scheduler#query}; all sub-requests of
 * all waves, retries included, name the same one, and so keep its place. Safe for any thread.
 */
public final class Query {
  /** What a client has under way puts its point reads back by no more. */
  private static final long MOST_BEHIND = TimeUnit.SECONDS.toNanos(1);

  private final QueryFacts facts;
  private final long sequence;
  private final long arrivalNanos;
  private final TableCosts costs;
  private final int trust;
  private final SlotClass slotClass;
  private final long behindNanos;
  private volatile double remainingMicros;
  private volatile boolean admitted;

  private @Nullable Object companion;

  @GuardedBy("this")
  private final OpenEntries open = new OpenEntries();

  Query(QueryFacts facts, long sequence, long arrivalNanos, TableCosts costs, SlotClass slotClass) {
    this.facts = facts;
    this.sequence = sequence;
    this.arrivalNanos = arrivalNanos;
    this.costs = costs;
    this.trust = costs.trust();
    this.slotClass = slotClass;
    this.remainingMicros = costs.estimate(facts.rows(), facts.width());
    this.behindNanos =
        behindNanos(facts, arrivalNanos, remainingMicros * NodeCosts.NANOS_PER_MICRO);
  }

  /** Its place among all requests of this proxy; the lower goes first where all else is equal. */
  public long sequence() {
    return sequence;
  }

  /** When it arrived, on the scheduler's clock. */
  public long arrivalNanos() {
    return arrivalNanos;
  }

  /**
   * When it would have come if its client asked for its point reads one at a time, and each took as
   * long as this one, but at most a second after it has come; not before those that came before it.
   * Point reads of one tenant go by this; of a client with no others under way, it is the arrival.
   */
  public long placeNanos() {
    return arrivalNanos + behindNanos;
  }

  private static long behindNanos(QueryFacts facts, long arrivalNanos, double workNanos) {
    int ahead = facts.ahead();
    return ahead == 0
        ? 0
        : Math.max(
            (long) Math.min(ahead * workNanos, (double) MOST_BEHIND),
            facts.latestNanos() - arrivalNanos);
  }

  /** When an answer is of no use any more, on the scheduler's clock. */
  public long deadlineNanos() {
    return facts.deadlineNanos();
  }

  /** What it waits as. */
  public PriorityClass priorityClass() {
    return facts.priorityClass();
  }

  /** The work that is left of it, µs; at arrival the estimate of all of it. Never rises. */
  public double remainingMicros() {
    return remainingMicros;
  }

  /** The work of one request for so many rows of its table, ns, by what is known now. */
  public double workNanos(double rows) {
    return costs.estimate(rows, 1) * NodeCosts.NANOS_PER_MICRO;
  }

  /** The size of an answer of so many rows of its table, by what is known now. */
  public long bytes(double rows) {
    return Math.round(costs.bytesIn(rows));
  }

  /** What {@link #companion(Object)} was told last; null before. */
  public @Nullable Object companion() {
    return companion;
  }

  /** Keeps something with it for the scheduler's {@link SchedulerWitness}, on one thread. */
  public void companion(Object mine) {
    companion = mine;
  }

  /** Rows of its table that are read in so much time, µs, beside what each read costs. */
  public double rowsIn(double micros) {
    return costs.rowsIn(micros);
  }

  /** The facts that it was made of. */
  public QueryFacts facts() {
    return facts;
  }

  TableCosts costs() {
    return costs;
  }

  /** The slots that it takes; they stay the same. */
  SlotClass slotClass() {
    return slotClass;
  }

  int trust() {
    return trust;
  }

  /** Whether something of it was let in: then the rest is not refused for the backlog. */
  boolean admitted() {
    return admitted;
  }

  void admit() {
    admitted = true;
  }

  /** Lowers what is left, and returns whether that changed anything. */
  synchronized boolean lower(double workMicros) {
    if (!(workMicros < remainingMicros)) {
      return false;
    }
    remainingMicros = Math.max(0, workMicros);
    return true;
  }

  /** Takes an entry in before it is queued anywhere, so that a later visit finds it. */
  synchronized void add(OpenEntries.Entry entry) {
    open.add(entry);
  }

  /** An entry was started or has ended; nothing happens when that was known. */
  synchronized void remove(OpenEntries.Entry entry) {
    open.remove(entry);
  }

  /**
   * Calls {@code action} with every entry that is neither started nor ended, without holding the
   * lock. They are visited from the last place to the first: one that goes meanwhile is replaced by
   * one that was visited, or that comes to stand where it will be.
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
