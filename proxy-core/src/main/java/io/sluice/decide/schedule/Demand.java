package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;

/**
 * One sub-request that waits for its turn at one of its replicas. It is submitted once and ends
 * exactly once: refused, cancelled, or started and then finished. To try again elsewhere, submit a
 * new one of the same {@link Query}: it gets the old place.
 */
public abstract class Demand extends QueueEntry implements Permit {

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
    held().answered(this, actualRows, bytes);
  }

  @Override
  public final void finishOverloaded() {
    held().overloaded(this);
  }

  @Override
  public final void finishAbandoned() {
    held().abandoned(this);
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
