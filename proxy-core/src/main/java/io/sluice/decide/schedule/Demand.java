package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;

/**
 * One sub-request and its place in a queue. It is submitted once and ends exactly once: refused,
 * cancelled, or started and then finished. To try again elsewhere, submit a new one of the same
 * {@link Query}: it gets the old place.
 */
public abstract class Demand implements Permit {
  private final Query query;
  private final int segment;
  private final List<NodeId> replicas;
  private final double rows;

  /**
   * Describes a sub-request.
   *
   * @param query the client request it is a part of
   * @param segment its place among the query's token ranges, from 0
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows it will probably read
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

  /**
   * It will not be started. Called at most once, instead of {@link #start}, under the same terms.
   */
  protected abstract void refuse(Refusal refusal);

  /** The client request it is a part of. */
  public final Query query() {
    return query;
  }

  @Override
  public final NodeId node() {
    return replicas.get(segment < 0 ? 1 : 0);
  }

  @Override
  public final void finish(long actualRows, long bytes) {}

  @Override
  public final void finishOverloaded() {}

  @Override
  public final void finishAbandoned() {}

  final double rows() {
    return rows;
  }
}
