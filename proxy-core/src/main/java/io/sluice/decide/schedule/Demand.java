package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sub-request that waits for its turn at one of its replicas. It is submitted once and ends
 * exactly once: refused, cancelled, or started and then finished. To try again elsewhere, submit a
 * new one of the same {@link Query}: it gets the old place.
 */
public abstract class Demand extends QueueEntry implements Permit {
  /** Told of its end; null when it is none's business. Written before it is placed. */
  private @Nullable SchedulerWitness witness;

  private @Nullable Object companion;

  /**
   * Describes a sub-request.
   *
   * @param query the client request it is a part of
   * @param segment its place among the query's token ranges, from 0
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows it will probably read; at least 0
   */
  protected Demand(Query query, int segment, List<NodeId> replicas, double rows) {
    super(query, segment, replicas, rows);
  }

  /**
   * Sends it. Called at most once, with no lock held, on whichever thread made the slot free; it
   * may only hand over. {@code permit} is this demand.
   */
  protected abstract void start(Permit permit);

  /** It will not be started. Called at most once, instead of {@link #start}, in the same way. */
  protected abstract void refuse(Refusal refusal);

  /**
   * Its answer is also that of another, which the caller has cancelled for it: the node is rid of
   * the work of both. Called between {@link #start} and its end, by the thread that will end it.
   */
  protected final void answersFor(Demand cancelled) {
    relievedNanos += cancelled.workNanos;
  }

  /** When it was sent; {@code otherwise} when it was not. */
  public final long sentNanos(long otherwise) {
    return sent ? sentNanos : otherwise;
  }

  /**
   * How long it may be under way before it is late, ns, as of its place in a queue: 99 of 100 point
   * reads of its table are answered sooner by this node, or in half of it by the fastest node. A
   * slow node's own times would never make a read late there. {@code Long.MAX_VALUE} for all other
   * reads, and as long as the node has not answered a hundred.
   */
  public final long lateNanos() {
    return lateNanos;
  }

  /** When it was submitted, on the scheduler's clock. */
  public final long submittedNanos() {
    return submittedNanos;
  }

  /** Its place among the query's token ranges. */
  public final int segment() {
    return segment;
  }

  /** The nodes that may answer it, the preferred first. */
  public final List<NodeId> replicas() {
    return replicas;
  }

  /** Rows it will probably read. */
  public final double expectedRows() {
    return rows;
  }

  /** What {@link #companion(Object)} was told last; null before. */
  public final @Nullable Object companion() {
    return companion;
  }

  /** Keeps something with it for the scheduler's {@link SchedulerWitness}, on one thread. */
  public final void companion(Object mine) {
    companion = mine;
  }

  final void isSeenBy(SchedulerWitness seeing) {
    witness = seeing;
    seeing.submitted(this);
  }

  /** The work that it was taken for by the node that it was given to, µs; as of its start. */
  public final double predictedMicros() {
    return workNanos / NodeCosts.NANOS_PER_MICRO;
  }

  /** The work that was in its answer, µs, by the same costs; NaN without an answer. */
  public final double actualMicros() {
    return doneNanos / NodeCosts.NANOS_PER_MICRO;
  }

  /** The client request it is a part of. */
  public final Query query() {
    return query;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException before it is started
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
    Gate holder = held();
    double work = holder.answered(this, actualRows, bytes);
    if (witness != null && work > 0) {
      long now = holder.now();
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
    Gate holder = held();
    holder.abandoned(this);
    if (witness != null) {
      witness.abandoned(this, holder.now());
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

  private Gate held() {
    Gate holder = gate;
    if (holder == null) {
      throw new IllegalStateException("not started");
    }
    return holder;
  }
}
