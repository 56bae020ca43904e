package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sub-request that waits for its turn at one of its replicas. It is submitted once and ends
 * exactly once: refused, cancelled, or started and then finished. A retry is a new demand of the
 * same {@link Query}, which keeps the query's place in the order.
 */
public abstract class Demand extends QueueEntry implements Permit {
  /**
   * Receives the end of this demand; null without a witness. Written before the demand is placed.
   */
  private @Nullable SchedulerWitness witness;

  private @Nullable Object companion;

  /**
   * Creates a sub-request.
   *
   * @param query the client request that this is a part of
   * @param pieceNumber its place among the query's token ranges, from 0
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows that it will probably read; at least 0
   */
  protected Demand(Query query, int pieceNumber, List<NodeId> replicas, double rows) {
    super(query, pieceNumber, replicas, rows);
  }

  /**
   * Sends the sub-request. Called at most once, with no lock held, on the thread that freed the
   * slot; it may only hand over. {@code permit} is this demand.
   */
  protected abstract void start(Permit permit);

  /**
   * Reports that the sub-request will not be started. Called at most once, instead of {@link
   * #start}, in the same way.
   */
  protected abstract void refuse(Refusal refusal);

  /**
   * Records that this demand's answer also serves another demand, which the caller has cancelled.
   * The end of this demand then relieves the node of the work of both. Called between {@link
   * #start} and the end, on the thread that will end the demand.
   */
  protected final void answersFor(Demand cancelled) {
    relievedNanos += cancelled.workNanos;
  }

  /** Returns when the sub-request was sent, or {@code otherwise} if it was not. */
  public final long sentNanos(long otherwise) {
    return sent ? sentNanos : otherwise;
  }

  /**
   * Returns after how long in flight this read is late, ns, as known when a node's queue accepted
   * it. It is the time that 99 of 100 point reads of the table do not exceed at this node. If it is
   * less, twice that time of the fastest node counts: a slow node's own times would never make a
   * read late there. {@code Long.MAX_VALUE} for all other reads, and until the node has answered a
   * hundred.
   */
  public final long lateNanos() {
    return lateNanos;
  }

  /** Returns when the sub-request was submitted, on the scheduler's clock. */
  public final long submittedNanos() {
    return submittedNanos;
  }

  /** Returns the sub-request's place among the query's token ranges. */
  public final int pieceNumber() {
    return pieceNumber;
  }

  /** Returns the nodes that may answer the sub-request, the preferred first. */
  public final List<NodeId> replicas() {
    return replicas;
  }

  /** Returns how many rows the sub-request will probably read. */
  public final double expectedRows() {
    return rows;
  }

  /** Returns the object that {@link #companion(Object)} attached last; null before. */
  public final @Nullable Object companion() {
    return companion;
  }

  /**
   * Attaches an object for the scheduler's {@link SchedulerWitness}, which uses it on one thread.
   */
  public final void companion(Object mine) {
    companion = mine;
  }

  final void reportTo(SchedulerWitness observer) {
    witness = observer;
    observer.submitted(this);
  }

  /** Returns the work, µs, that the chosen node's costs predicted before the start. */
  public final double predictedMicros() {
    return workNanos / CostModel.NANOS_PER_MICRO;
  }

  /** Returns the work in the answer, µs, by the same costs; NaN without an answer. */
  public final double actualMicros() {
    return doneNanos / CostModel.NANOS_PER_MICRO;
  }

  /** Returns the client request that this is a part of. */
  public final Query query() {
    return query;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException before the demand is started
   */
  @Override
  public final NodeId node() {
    return held().node();
  }

  @Override
  public final void sent() {
    sentNanos = held().now();
    sent = true;
  }

  @Override
  public final void finishAsExpected(long bytes) {
    finish(Math.round(rows), bytes);
  }

  @Override
  public final void finish(long actualRows, long bytes) {
    Holder queue = held();
    double work = queue.answered(this, actualRows, bytes);
    if (witness != null && work > 0) {
      long now = queue.now();
      witness.answered(
          this, new SchedulerWitness.Answer(actualRows, bytes, work, tookNanos(now), now));
    }
  }

  @Override
  public final void finishOverloaded() {
    held().overloaded(this);
  }

  @Override
  public final void finishAbandoned() {
    Holder queue = held();
    queue.abandoned(this);
    if (witness != null) {
      witness.abandoned(this, queue.now());
    }
  }

  @Override
  final void started() {
    start(this);
  }

  @Override
  final void refused(Refusal reason) {
    refuse(reason);
  }

  private Holder held() {
    Holder queue = holder;
    if (queue == null) {
      throw new IllegalStateException("not started");
    }
    return queue;
  }
}
