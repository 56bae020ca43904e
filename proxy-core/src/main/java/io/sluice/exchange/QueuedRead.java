package io.sluice.exchange;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import java.util.List;

/** A place of a {@link ReplicaRead} in one replica's queue. */
public class QueuedRead extends Demand {

  private final ReplicaRead read;

  /**
   * Creates a place. The scheduler's {@code submit} puts it into a queue.
   *
   * @param segment the position among the query's token ranges, from 0
   * @param nodes nodes that may answer, the preferred first; not empty
   * @param rows estimated number of rows that the node reads
   */
  public QueuedRead(ReplicaRead read, Query query, int segment, List<NodeId> nodes, double rows) {
    super(query, segment, nodes, rows);
    this.read = read;
  }

  /** Called before the read waits, on its client's lane. */
  protected void joins() {}

  /** Called when the read no longer waits, on any thread. */
  protected void leaves() {}

  @Override
  protected final void start(Permit granted) {
    leaves();
    read.lane().run(() -> read.begin(this));
  }

  @Override
  protected final void refuse(Refusal refusal) {
    leaves();
    read.lane().run(() -> read.refused(this, refusal));
  }
}
