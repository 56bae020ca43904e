package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sub-request and its place in a queue. It is submitted once and ends exactly once: refused,
 * cancelled, or started and then finished. To try again elsewhere, submit a new one of the same
 * {@link Query}: it gets the old place.
 */
public abstract class Demand implements Permit {

  /** Where it is on its way. */
  enum State {
    NEW,
    QUEUED,
    /** Between two nodes' queues. */
    MOVING,
    STARTED,
    ENDED
  }

  private final Query query;
  private final int segment;
  private final List<NodeId> replicas;
  private final double rows;

  /** Where the query keeps it; read and written under the query's lock only. */
  int place;

  /** The gate that holds it; null before, and between two gates. Written under its lock. */
  volatile @Nullable LockedNodeQueue gate;

  /** Work of others that its answer spares; written by who holds the permit, while it does. */
  long relievedNanos;

  /** When it was sent, as soon as {@link #sent} says so; written as {@link #relievedNanos}. */
  private long sentNanos;

  private boolean sent;

  // What follows belongs to the gate: read and written under its lock only.
  State state = State.NEW;
  int handle;
  @Nullable TenantQueue tenant;
  @Nullable Demand nextReady;
  @Nullable Demand older;
  @Nullable Demand younger;
  @Nullable Refusal refusal;
  long workNanos;
  long key = Long.MAX_VALUE;
  long queuedNanos;
  long expectedNanos;
  long startedNanos;
  boolean sawFull;
  boolean uncrowded;
  boolean moved;

  /**
   * Describes a sub-request.
   *
   * @param query the client request it is a part of
   * @param segment its place among the query's token ranges, from 0
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows it will probably read; at least 0
   */
  protected Demand(Query query, int segment, List<NodeId> replicas, double rows) {
    this.query = query;
    this.segment = segment;
    this.replicas = List.copyOf(replicas);
    this.rows = rows;
    if (this.replicas.isEmpty() || !(rows >= 0)) {
      throw new IllegalArgumentException("needs a replica and rows >= 0, not " + rows);
    }
  }

  /**
   * Send it. Called at most once, with no lock held, on whichever thread made the slot free; it may
   * only hand over. {@code permit} is this demand.
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

  /** How long it has been under way, ns, at least 1. */
  final long tookNanos(long now) {
    return Math.max(1, now - (sent ? sentNanos : startedNanos));
  }

  final int segment() {
    return segment;
  }

  final List<NodeId> replicas() {
    return replicas;
  }

  final double rows() {
    return rows;
  }

  private LockedNodeQueue held() {
    LockedNodeQueue holder = gate;
    if (holder == null) {
      throw new IllegalStateException("not started");
    }
    return holder;
  }
}
