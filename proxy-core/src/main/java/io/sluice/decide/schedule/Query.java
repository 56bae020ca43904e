package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;

/**
 * One client request, as the queues see it. Made by {@link Scheduler#query}; all sub-requests of
 * all waves, retries included, name the same one, and so keep its place. Safe for any thread.
 */
public final class Query {
  private final QueryFacts facts;
  private final long sequence;
  private final long arrivalNanos;

  Query(QueryFacts facts, long sequence, long arrivalNanos) {
    this.facts = facts;
    this.sequence = sequence;
    this.arrivalNanos = arrivalNanos;
  }

  /** Its place among all requests of this proxy; the lower goes first where all else is equal. */
  public long sequence() {
    return sequence;
  }

  /** When it arrived, on the scheduler's clock. */
  public long arrivalNanos() {
    return arrivalNanos;
  }

  /** When an answer is of no use any more, on the scheduler's clock. */
  public long deadlineNanos() {
    return facts.deadlineNanos();
  }

  /** What it waits as. */
  public PriorityClass priorityClass() {
    return facts.priorityClass();
  }
}
